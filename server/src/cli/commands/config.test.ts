import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { runInProcess } from '@tributary/testing/server/cli/admin-console.ts'
import { spawnCommand } from '@tributary/testing/server/cli/spawn-command.ts'

const key = randomBytes(32).toString('base64')
const canaries = {
  DATABASE_URL: 'postgres://tributary:canary-database@127.0.0.1:1/none',
  TRIBUTARY_WAREHOUSE_URL: 'postgres://tributary:canary-warehouse@127.0.0.1:1/none',
  TRIBUTARY_MASTER_KEY: key,
  TRIBUTARY_MASTER_KEYS_OLD: randomBytes(32).toString('base64'),
  TRIBUTARY_SMTP_URL: 'smtps://mailer:canary-mail@127.0.0.1:1',
  TRIBUTARY_CAPTCHA: 'turnstile',
  TRIBUTARY_CAPTCHA_SITE_KEY: 'site',
  TRIBUTARY_CAPTCHA_SECRET: 'canary-captcha',
  TRIBUTARY_XERO_CLIENT_ID: 'app',
  TRIBUTARY_XERO_CLIENT_SECRET: 'canary-xero',
  TRIBUTARY_OIDC_GOOGLE_CLIENT_ID: 'app',
  TRIBUTARY_OIDC_GOOGLE_CLIENT_SECRET: 'canary-google',
}
const secrets = [
  /canary-/u,
  new RegExp(key.slice(0, 20).replaceAll(/[+/]/gu, '\\$&'), 'u'),
  new RegExp(canaries.TRIBUTARY_MASTER_KEYS_OLD.slice(0, 20).replaceAll(/[+/]/gu, '\\$&'), 'u'),
]

describe('tributary config check', () => {
  test('names everything that is missing at once and ends with 1', async () => {
    const ended = await runInProcess(['config', 'check', '--json'], {
      TRIBUTARY_MODE: 'production',
      PORT: 'many',
      TRIBUTARY_TYPO: 'x',
    })
    expect(ended.code).toBe(1)
    const { problems, unknown } = ended.json<{ problems: readonly string[]; unknown: readonly string[] }>()
    for (const name of ['PORT', 'DATABASE_URL', 'TRIBUTARY_PUBLIC_URL', 'TRIBUTARY_MASTER_KEY', 'TRIBUTARY_SMTP_URL'])
      expect(problems.some((problem) => problem.includes(name))).toBe(true)
    expect(unknown).toEqual(['TRIBUTARY_TYPO'])
  })

  test('shows the settings, defaults with --all, and ends with 0 if there is no problem', async () => {
    const ended = await runInProcess(['config', 'check', '--all'], { PORT: '3456' })
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(ended.stdout).toContain('PORT=3456\n')
    expect(ended.stdout).toMatch(/TRIBUTARY_PASSWORD_MIN=6 {2}\(default\)/u)
    expect(ended.stdout).toContain('Nothing is missing or weak.')
  })
})

test.each(['config check --all', 'doctor --json'])('no secret of the configuration is printed by %s', async (words) => {
  const env = {
    ...canaries,
    TRIBUTARY_MODE: 'production',
    TRIBUTARY_PUBLIC_URL: 'https://localhost:1',
    TRIBUTARY_ALLOW_HOSTS: '',
  }
  const { code, stdout, stderr } = await spawnCommand(words.split(' '), env).ended
  expect(code).toBe(1)
  for (const secret of secrets) expect(stdout + stderr).not.toMatch(secret)
})

describe('wrong arguments', () => {
  test.each([
    [['frobnicate'], /unknown command 'frobnicate'/u],
    [['user', 'create', 'a@example.com'], /required option '--first-name <name>'/u],
    [
      ['user', 'create', 'a@example.com', '--first-name', 'A', '--last-name', 'B', '--role', 'king'],
      /Allowed choices are superadmin/u,
    ],
    [['user', 'lock'], /missing required argument 'email'/u],
    [['status', '--colour'], /unknown option '--colour'/u],
  ])('%j ends with 2 and a sentence', async (words, sentence) => {
    const { code, stdout, stderr } = await runInProcess(words, {})
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(sentence)
  })

  test('with --json the error is a document', async () => {
    const { code, stderr, json } = await spawnCommand(['status', '--colour', '--json'], {}).ended
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' })
    expect(json()).toEqual({ error: { code: 'usage', message: "unknown option '--colour'" } })
  })

  test.each([
    ['help user', 0, 'stdout'],
    ['user create --help', 0, 'stdout'],
    ['user', 2, 'stderr'],
  ] as const)('%s is answered with help, and ends with %d', async (words, code, where) => {
    const ended = await runInProcess(words.split(' '), {})
    expect(ended.code).toBe(code)
    expect(ended[where]).toMatch(/^Usage: tributary user/u)
  })

  test('a command creates no installation in an empty data folder', async () => {
    const home = mkdtempSync(join(tmpdir(), 'tributary-nothing-'))
    const { code, stderr } = await runInProcess(['status'], { TRIBUTARY_DATA_DIR: home })
    rmSync(home, { recursive: true })
    expect(code).toBe(1)
    expect(stderr).toBe(
      `There is no Tributary in ${home} yet. Start it once with npm start, or name another data folder with TRIBUTARY_DATA_DIR.\n`,
    )
  })
})
