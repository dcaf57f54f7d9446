/** Every audit action is recorded by the server, and a test causes it. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { auditActions } from '../contract/src/audit-actions.ts'

const root = dirname(import.meta.dirname)
const files = ['server/src', 'testing/programmes']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  .filter((file) => file.endsWith('.ts') && !file.endsWith(join('', 'audit-actions.ts')))
const isTest = (file: string) => file.endsWith('.test.ts')
const readAll = (chosen: readonly string[]) => chosen.map((file) => readFileSync(join(root, file), 'utf8')).join('\n')
const tests = readAll(files.filter(isTest))
const sources = readAll(files.filter((file) => file.startsWith('server') && !isTest(file)))

/** Some action names are built from a subject and a verb. */
const isRecorded = (action: string) =>
  sources.includes(`'${action}'`) || sources.includes(`\`${action.split('.')[0] ?? ''}.\${event}\``)

test.each(auditActions)('[ASVS 16.3.1] %s is recorded, and a test checks it', (action) => {
  expect(isRecorded(action)).toBe(true)
  expect(tests).toContain(`'${action}'`)
})

test('an action that is not recorded, or that no test names, is reported', () => {
  expect(isRecorded('planted.noted')).toBe(false)
  expect(tests).not.toContain(["'planted", "noted'"].join('.'))
})
