/** What the audit log notes is a list, and each of its actions is checked by a test that makes it happen. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { auditActions } from '../server/src/security/audit/audit-actions.ts'

const root = dirname(import.meta.dirname)
const files = ['server/src', 'testing/programmes']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  .filter((file) => file.endsWith('.ts') && !file.endsWith(join('', 'audit-actions.ts')))
const isTest = (file: string) => file.endsWith('.test.ts')
const textOf = (chosen: readonly string[]) => chosen.map((file) => readFileSync(join(root, file), 'utf8')).join('\n')
const tests = textOf(files.filter(isTest))
const sources = textOf(files.filter((file) => file.startsWith('server') && !isTest(file)))

/** Some actions are template literals of the object and the event. */
const isNoted = (action: string) =>
  sources.includes(`'${action}'`) || sources.includes(`\`${action.split('.')[0] ?? ''}.\${event}\``)

test.each(auditActions)('[ASVS 16.3.1] %s is noted, and a test sees it', (action) => {
  expect(isNoted(action)).toBe(true)
  expect(tests).toContain(`'${action}'`)
})

test('an action that nothing notes, or that no test names, would be noticed', () => {
  expect(isNoted('planted.noted')).toBe(false)
  expect(tests).not.toContain(["'planted", "noted'"].join('.'))
})
