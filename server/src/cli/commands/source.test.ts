/** Follows docs/extending/describe-a-source.md with the command line. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commandsOfGuide, descriptionOfGuide, sampleOfGuide } from '@tributary/testing/engine/described/guide.ts'
import { type OrchardApi, startOrchard } from '@tributary/testing/engine/described/orchard-api.ts'
import { runInProcess } from '@tributary/testing/server/cli/admin-console.ts'
import type { CommandOutput } from '@tributary/testing/server/cli/command-output.ts'

let folder: string
let api: OrchardApi

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tributary-source-'))
  api = await startOrchard({ now: () => Date.parse('2026-11-02T09:00:00Z') })
  writeFileSync(join(folder, 'sample.json'), sampleOfGuide())
  writeFileSync(join(folder, 'settings.json'), JSON.stringify({ key: api.key, address: api.address }))
})

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await api[Symbol.asyncDispose]()
})

/** A command of the guide, with its files in the folder. */
function follow(name: string, ...more: readonly string[]): Promise<CommandOutput> {
  const words = commandsOfGuide().find(([first]) => first === name) ?? []
  const placed = words.map((word) => (/^\w+\.(?:json|yaml)$/u.test(word) ? join(folder, word) : word))
  return runInProcess(['source', ...placed, ...more], { TRIBUTARY_ALLOW_HOSTS: api.host })
}

test('[SRC-10] the command line drafts the source of the guide from its sample, and the draft has no problem', async () => {
  const drafted = await follow('draft')
  expect(drafted).toMatchObject({ code: 0, stderr: '' })
  const yaml = readFileSync(join(folder, 'orchard.yaml'), 'utf8')
  for (const line of [
    'base: https://api.orchard.example/v1/',
    'records: /orders',
    'amount: decimal',
    'updated_at: { type: instant(3), at: /updatedAt }',
  ])
    expect(yaml).toContain(line)
  expect(yaml).toMatch(/# check: .*\n +changes:/u)
  expect(await follow('check')).toMatchObject({ code: 0, stderr: '' })
  const again = await follow('draft')
  expect(again.code).toBe(1)
  expect(again.stderr).toContain('Name a file that does not exist yet.')
})

test('[SRC-10] check names the line and column of each problem and ends with 1', async () => {
  const file = join(folder, 'wrong.yaml')
  writeFileSync(file, descriptionOfGuide().replace('engine: rest', 'engine: soap'))
  const checked = await runInProcess(['source', 'check', file], {})
  expect(checked.code).toBe(1)
  expect(checked.stdout).toMatch(/wrong\.yaml:3:\d+ /u)
})

test('[SRC-10] try shows requests, replies, rows and types, and no secret', async () => {
  writeFileSync(join(folder, 'orchard.yaml'), descriptionOfGuide())
  const tried = await follow('try')
  expect(tried).toMatchObject({ code: 0, stderr: '' })
  expect(tried.stdout).toContain(`> GET ${api.address}orders?limit=100`)
  expect(tried.stdout).toContain('< 200,')
  expect(tried.stdout).toMatch(/order, 200 rows\n/u)
  expect(tried.stdout).toMatch(/ {2}amount decimal\(19,4\) \/amount: 12\.5 \|/u)
  expect(tried.stdout).not.toContain(api.key)
  expect(tried.stdout).toContain('The list has more pages.')
})

test('[SRC-10] a refused sign-in is explained without the secret', async () => {
  const file = join(folder, 'wrong-settings.json')
  writeFileSync(file, JSON.stringify({ key: 'ork_wrong_secret', address: api.address }))
  const tried = await runInProcess(['source', 'try', join(folder, 'orchard.yaml'), '--settings', file], {
    TRIBUTARY_ALLOW_HOSTS: api.host,
  })
  expect(tried.code).toBe(1)
  expect(tried.stdout).toContain('Reading ended with a fault:')
  expect(tried.stdout + tried.stderr).not.toContain('ork_wrong_secret')
})

test('[SRC-10] prove reports every check of every stream as proven live, proven simulated or not proven', async () => {
  writeFileSync(join(folder, 'orchard.yaml'), descriptionOfGuide())
  const proven = await follow('prove', '--json')
  expect(proven.code).toBe(0)
  const { proofs } = proven.json<{ proofs: readonly { check: string; verdict: string; why: string }[] }>()
  expect(proofs.map(({ check, verdict }) => `${check} ${verdict}`)).toEqual([
    'paging provenLive',
    'types provenLive',
    'order provenLive',
    'limits notProven',
    'ties provenSimulated',
    'lateCommits provenSimulated',
    'deletes provenSimulated',
    'cuts provenSimulated',
    'kills provenSimulated',
  ])
  expect(proofs[3]?.why).toContain('x-ratelimit-remaining')
}, 60_000)

test('[SRC-10] without settings nothing is called, and live checks are not proven', async () => {
  const before = api.calls.length
  const proven = await runInProcess(['source', 'prove', join(folder, 'orchard.yaml')], {})
  expect(proven.stdout).toMatch(/order {2}paging +not proven +Nothing was called/u)
  expect(api.calls.length).toBe(before)
}, 60_000)

test.each([
  [['draft', 'nowhere.json', '--type', 'x1'], 1, /nowhere\.json cannot be read \(ENOENT\)/u],
  [['draft', 'package.json', '--type', 'Big'], 2, /lower-case letters/u],
  [['draft', 'package.json', '--type', 'x1'], 1, /no list of records/u],
  [['try', 'package.json', '--pages', '0'], 2, /From 1 to 20/u],
])('[SRC-10] source %j ends with %i and says why', async (words, code, sentence) => {
  const ended = await runInProcess(['source', ...words], {})
  expect(ended.code).toBe(code)
  expect(ended.stderr).toMatch(sentence)
})
