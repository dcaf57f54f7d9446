import { expect, test } from 'vitest'
import { readConfig, takeConfig } from './config.ts'

function read(env: Readonly<Record<string, string>>) {
  const { config, problems } = readConfig(env)
  return { providers: config.providers, problems }
}

function client(name: string) {
  return { [`TRIBUTARY_OIDC_${name}_CLIENT_ID`]: 'client', [`TRIBUTARY_OIDC_${name}_CLIENT_SECRET`]: 'canary-secret' }
}

test('[SIGN-4] Microsoft, Google and Xero need no issuer URL, other providers do', () => {
  const { providers, problems } = read({
    ...client('MICROSOFT'),
    TRIBUTARY_OIDC_MICROSOFT_TENANT: '11111111-2222-4333-8444-555555555555',
    ...client('GOOGLE'),
    ...client('XERO'),
    ...client('ACME_CORP'),
    TRIBUTARY_OIDC_ACME_CORP_ISSUER: 'https://id.acme.example/realms/main',
    TRIBUTARY_OIDC_ACME_CORP_DISPLAY_NAME: 'Acme',
  })
  expect(problems).toEqual([])
  expect(providers.map(({ name, displayName, issuer }) => [name, displayName, issuer])).toEqual([
    ['microsoft', 'Microsoft', 'https://login.microsoftonline.com/11111111-2222-4333-8444-555555555555/v2.0'],
    ['google', 'Google', 'https://accounts.google.com'],
    ['xero', 'Xero', 'https://identity.xero.com'],
    ['acme-corp', 'Acme', 'https://id.acme.example/realms/main'],
  ])
})

test('a Microsoft object id identifies a person only within one tenant', () => {
  const hasMicrosoftId = (tenant: string) =>
    read({ ...client('MICROSOFT'), TRIBUTARY_OIDC_MICROSOFT_TENANT: tenant }).providers[0]?.hasMicrosoftId
  expect(hasMicrosoftId('contoso.onmicrosoft.com')).toBe(true)
  for (const many of ['common', 'organizations', 'consumers']) expect(hasMicrosoftId(many)).toBe(false)
})

test('missing and wrong settings are reported in sentences that repeat no secret', () => {
  const { problems } = read({
    TRIBUTARY_OIDC_ACME_CLIENT_SECRET: 'canary-secret',
    ...client('PLAIN'),
    TRIBUTARY_OIDC_PLAIN_ISSUER: 'http://id.example.com',
    ...client('MICROSOFT'),
    ...client('GOOGLE'),
    TRIBUTARY_OIDC_GOOGLE_ISSUER: 'https://evil.example',
    TRIBUTARY_OIDC_GOOGLE_TENANT: 'x',
    TRIBUTARY_OIDC_ACME_SECRET: 'canary-secret',
  })
  expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
    'TRIBUTARY_OIDC_ACME_SECRET',
    'TRIBUTARY_OIDC_ACME_CLIENT_ID',
    'TRIBUTARY_OIDC_ACME_ISSUER',
    'TRIBUTARY_OIDC_PLAIN_ISSUER',
    'TRIBUTARY_OIDC_MICROSOFT_TENANT',
    'TRIBUTARY_OIDC_GOOGLE_ISSUER',
    'TRIBUTARY_OIDC_GOOGLE_TENANT',
  ])
  expect(problems.join(' ')).not.toContain('canary')
})

test('an http issuer is accepted on this machine and in trial mode only', () => {
  const problemsOf = (issuer: string, env = {}) =>
    read({ ...client('ACME'), TRIBUTARY_OIDC_ACME_ISSUER: issuer, ...env }).problems.filter((problem) =>
      problem.includes('_ISSUER'),
    )
  expect(problemsOf('http://127.0.0.1:4000')).toEqual([])
  expect(problemsOf('http://127.0.0.1:4000', { TRIBUTARY_MODE: 'production' })).toHaveLength(1)
  for (const issuer of [
    'http://127.0.0.1.evil.example',
    'https://id.example?a=b',
    'https://user:pw@id.example',
    'ftp://id.example',
    'nonsense',
  ])
    expect(problemsOf(issuer)).toHaveLength(1)
})

test('a duplicate issuer is refused: a person would have two identities', () => {
  const twice = {
    ...client('ONE'),
    ...client('TWO'),
    TRIBUTARY_OIDC_ONE_ISSUER: 'https://id.example',
    TRIBUTARY_OIDC_TWO_ISSUER: 'https://id.example',
  }
  expect(read(twice).problems).toEqual([expect.stringContaining('https://id.example')])
})

test('the secrets of providers are removed from the environment, so that no child process or dump inherits them', () => {
  const name = 'TRIBUTARY_OIDC_ACME_CORP_CLIENT_SECRET'
  process.env[name] = 'canary-secret'
  expect(takeConfig().config.providers[0]?.clientSecret).toBe('canary-secret')
  expect(process.env).not.toHaveProperty(name)
})
