import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proveInstallation, installationProofPath } from '../../security/keys/installation-proof.ts'
import { startMailServer } from '@tributary/testing/server/identity/mail-server.ts'
import type { DoctorFinding } from './finding.ts'
import { runInProcess, testConsole, type TestConsole } from '@tributary/testing/server/cli/admin-console.ts'

let console: TestConsole
beforeAll(async () => {
  console = await testConsole()
})
afterAll(() => console[Symbol.asyncDispose]())

async function examine(change: Readonly<Record<string, string>> = {}) {
  // The port is closed, and the name resolves without DNS.
  const env = { ...console.env, TRIBUTARY_PUBLIC_URL: 'https://localhost:1', ...change }
  const ended = await runInProcess(['doctor', '--json'], env)
  const { findings, isWell } = ended.json<{ isWell: boolean; findings: readonly DoctorFinding[] }>()
  return {
    ...ended,
    isWell,
    findings,
    states: (check: string) => findings.filter((one) => one.check === check).map(({ state }) => state),
  }
}

describe('tributary doctor', () => {
  test('runs every check, names a remedy for each fault, and ends with 1', async () => {
    const { code, isWell, states, findings, stderr } = await examine()
    expect({ code, isWell, stderr }).toEqual({ code: 1, isWell: false, stderr: '' })
    for (const check of ['Database', 'Migrations', 'Master key', 'Workers', 'Mail queue'])
      expect(states(check)).toEqual(['ok'])
    for (const check of ['Mail', 'Public address']) expect(states(check)).toEqual(['fail'])
    // The test has the accounts of a trial, whose password is public.
    expect(findings.find(({ check }) => check === 'Configuration')?.found).toContain('trial accounts')
    expect(findings.filter(({ state, remedy = '' }) => state !== 'ok' && remedy === '')).toEqual([])
  })

  test('passes a mail server that answers, and sends it no mail', async () => {
    await using mail = await startMailServer()
    expect((await examine({ TRIBUTARY_SMTP_URL: `smtp://127.0.0.1:${mail.port}` })).states('Mail')).toEqual(['ok'])
    expect(mail.received).toEqual([])
  })

  test('finds that the master key did not wrap the stored keys', async () => {
    const { states } = await examine({ TRIBUTARY_MASTER_KEY: randomBytes(32).toString('base64') })
    expect(states('Master key')).toEqual(['fail'])
  })

  test('reports an unreachable database as one finding, and prints no password', async () => {
    const { findings, states, stdout } = await examine({
      DATABASE_URL: 'postgres://someone:canary-password@127.0.0.1:1/none',
    })
    expect(states('Database')).toEqual(['fail', 'fail'])
    expect(states('Mail')).toEqual(['fail'])
    expect(findings.find(({ check }) => check === 'Database')?.found).toContain('ECONNREFUSED')
    expect(stdout).not.toContain('canary-password')
  })

  test('prints one line per finding, then its remedy, without colours if the output is no terminal', async () => {
    const { stdout } = await console.run('doctor')
    expect(stdout).toMatch(/^ok {4}Migrations: All \d+ are done\.$/mu)
    expect(stdout).toMatch(
      /^fail {2}Mail: 127\.0\.0\.1:1 refused the connection or did not answer \(\w+\)\.\n {6}Check host/mu,
    )
    expect(stdout).not.toContain('\u001B')
  })
})

describe('the proof of the installation', () => {
  const ask = (query: string) =>
    console.app.as.visitor.send<{ proof?: string }>('GET', `${installationProofPath}${query}`)

  test('answers the challenge, and reports whether a proxy forwarded the request', async () => {
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
