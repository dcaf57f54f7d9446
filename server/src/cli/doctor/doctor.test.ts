import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proveInstallation, installationProofPath } from '../../security/keys/installation-proof.ts'
import { startMailServer } from '@tributary/testing/server/identity/mail-server.ts'
import type { Finding } from './finding.ts'
import { runInProcess, testConsole, type TestConsole } from '@tributary/testing/server/cli/admin-console.ts'

let console: TestConsole
beforeAll(async () => {
  console = await testConsole()
})
afterAll(() => console[Symbol.asyncDispose]())

async function examine(change: Readonly<Record<string, string>> = {}) {
  // Nobody listens there, and the name is found without asking anybody.
  const env = { ...console.env, TRIBUTARY_PUBLIC_URL: 'https://localhost:1', ...change }
  const ended = await runInProcess(['doctor', '--json'], env)
  const { findings, isWell } = ended.json<{ isWell: boolean; findings: readonly Finding[] }>()
  return {
    ...ended,
    isWell,
    findings,
    states: (check: string) => findings.filter((one) => one.check === check).map(({ state }) => state),
  }
}

describe('tributary doctor', () => {
  test('looks at everything, says what to do about each fault, and ends with 1', async () => {
    const { code, isWell, states, findings, stderr } = await examine()
    expect({ code, isWell, stderr }).toEqual({ code: 1, isWell: false, stderr: '' })
    for (const check of ['Database', 'Migrations', 'Master key', 'Workers', 'Mail queue'])
      expect(states(check)).toEqual(['ok'])
    for (const check of ['Mail', 'Public address']) expect(states(check)).toEqual(['fail'])
    // The test's people are those of a trial, whose password everybody knows.
    expect(findings.find(({ check }) => check === 'Configuration')?.found).toContain('trial accounts')
    expect(findings.filter(({ state, remedy = '' }) => state !== 'ok' && remedy === '')).toEqual([])
  })

  test('a mail server that answers is well, and is sent nothing', async () => {
    await using mail = await startMailServer()
    expect((await examine({ TRIBUTARY_SMTP_URL: `smtp://127.0.0.1:${mail.port}` })).states('Mail')).toEqual(['ok'])
    expect(mail.received).toEqual([])
  })

  test('another master key than the one that things were stored with is found', async () => {
    const { states } = await examine({ TRIBUTARY_MASTER_KEY: randomBytes(32).toString('base64') })
    expect(states('Master key')).toEqual(['fail'])
  })

  test('a database that cannot be reached is one finding among the others, and no password is told', async () => {
    const { findings, states, stdout } = await examine({
      DATABASE_URL: 'postgres://someone:canary-password@127.0.0.1:1/none',
    })
    expect(states('Database')).toEqual(['fail', 'fail'])
    expect(states('Mail')).toEqual(['fail'])
    expect(findings.find(({ check }) => check === 'Database')?.found).toContain('ECONNREFUSED')
    expect(stdout).not.toContain('canary-password')
  })

  test('for people each finding is a line, with what to do beneath, and without colours where nobody sees them', async () => {
    const { stdout } = await console.run('doctor')
    expect(stdout).toMatch(/^ok {4}Migrations: All \d+ are done\.$/mu)
    expect(stdout).toMatch(/^fail {2}Mail: 127\.0\.0\.1:1 refused us or did not answer \(\w+\)\.\n {6}Check host/mu)
    expect(stdout).not.toContain('\u001B')
  })
})

describe('the proof that an address leads to this installation', () => {
  const ask = (query: string) =>
    console.app.as.visitor.send<{ proof?: string }>('GET', `${installationProofPath}${query}`)

  test('is right for the challenge it was asked with and tells whether a proxy said for whom it asks', async () => {
    const { services } = console.app
    const challenge = 'a-challenge-of-enough-length'
    expect((await ask(`?challenge=${challenge}`)).body).toEqual({
      proof: await proveInstallation(services.serverKeys, challenge),
      isForwarded: false,
    })
  })

  test.each([
    '',
    '?challenge=short',
    '?challenge=%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00',
    '?challenge=a&challenge=b',
  ])('is not given for %s', async (query) => expect((await ask(query)).status).toBe(404))
})
