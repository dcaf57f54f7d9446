/** Master keys of the template database that tests copy. A test that needs another master key rotates to it. */
import { createHash } from 'node:crypto'
import type { MasterKeys } from '../../../server/src/kernel/config/master-keys.ts'

export const templateKeys: MasterKeys = {
  current: createHash('sha256').update('the master key of every test').digest(),
  old: [],
}
