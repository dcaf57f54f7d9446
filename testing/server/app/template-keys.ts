/** What wraps the keys of the database that every test copies; who wants another master key rotates to it. */
import { createHash } from 'node:crypto'
import type { MasterKeys } from '../../../server/src/kernel/config/master-keys.ts'

export const templateKeys: MasterKeys = {
  current: createHash('sha256').update('the master key of every test').digest(),
  old: [],
}
