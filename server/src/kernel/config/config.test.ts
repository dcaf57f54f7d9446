import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const key = randomBytes(32).toString('base64')
const production = {
  TRIBUTARY_MODE: 'production',
  DATABASE_URL: 'postgres://tributary:s3cret@db.example/tributary',
  TRIBUTARY_PUBLIC_URL: 'https://tributary.example',
  TRIBUTARY_MASTER_KEY: key,
  TRIBUTARY_SMTP_URL: 'smtps://mail:s3cret@mail.example:465',
}

test('the default is trial mode on this machine only', () => {
  const { config, problems } = readConfig({})
  expect(problems).toEqual([])
  expect(config).toMatchObject({
    mode: 'trial',
    role: 'all',
    host: '127.0.0.1',
    port: 3000,
    publicUrl: 'http://localhost:3000',
    databaseUrl: null,
    passwordMin: 6,
  })
  expect(Object.isFrozen(config)).toBe(true)
})

test('rate limits are off in a trial and on in production, and the operator sets their values', () => {
  expect(readConfig({}).config.limits.isOn).toBe(false)
  expect(readConfig({ TRIBUTARY_LIMITS: 'on' }).config.limits.isOn).toBe(true)
  const { config } = readConfig({ ...production, TRIBUTARY_RATE_WRITE: '7' })
  expect(config.limits).toEqual({
    isOn: true,
    rates: { visitor: 300, read: 600, write: 7, poll: 30, approval: 60, organisation: 5_000 },
  })
  const { problems } = readConfig({ TRIBUTARY_LIMITS: 'no', TRIBUTARY_RATE_READ: '0', TRIBUTARY_RATE_POLL: 'many' })
  expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
    'TRIBUTARY_LIMITS',
    'TRIBUTARY_RATE_READ',
    'TRIBUTARY_RATE_POLL',
  ])
})

test('the public URL is canonicalised as browsers do', () => {
  for (const text of [
    'https://Tributary.Example',
    'https://tributary.example:443',
    'https://tributary.example/',
    'https://tributary.example',
  ])
    expect(readConfig({ ...production, TRIBUTARY_PUBLIC_URL: text })).toMatchObject({
      config: { publicUrl: 'https://tributary.example' },
      problems: [],
    })
  expect(readConfig({ TRIBUTARY_PUBLIC_URL: 'http://localhost:8080' }).config.publicUrl).toBe('http://localhost:8080')
})

test('the default schedule is five-field cron, initially every day at six', () => {
  expect(readConfig({}).config.defaultSchedule).toBe('0 6 * * *')
  expect(readConfig({ TRIBUTARY_DEFAULT_SCHEDULE: '30 4 * * 1-5' }).config.defaultSchedule).toBe('30 4 * * 1-5')
  for (const wrong of ['0 25 * * *', 'daily', '0 6 * *', '0 0 31 2 *'])
    expect(readConfig({ TRIBUTARY_DEFAULT_SCHEDULE: wrong }).problems).toEqual([
      `TRIBUTARY_DEFAULT_SCHEDULE: '${wrong}' is not a schedule: it must have five fields: minute, hour, day of month, month, day of week; for example 0 6 * * 1-5.`,
    ])
})

test('DATABASE_URL alone is refused with a sentence', () => {
  const { problems } = readConfig({ DATABASE_URL: production.DATABASE_URL })
  expect(problems).toEqual([expect.stringContaining('DATABASE_URL goes with TRIBUTARY_MODE=production')])
})

test('trial mode cannot be reached from elsewhere', () => {
  expect(readConfig({ TRIBUTARY_HOST: '0.0.0.0' }).problems).toEqual([
    expect.stringContaining('TRIBUTARY_HOST must be 127.0.0.1'),
  ])
})

test('a trusted proxy is an address or a CIDR block', () => {
  expect(readConfig({ TRIBUTARY_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8, fd00::/8' }).config.trustedProxies).toEqual([
    '127.0.0.1',
    '10.0.0.0/8',
    'fd00::/8',
  ])
  for (const proxy of ['everybody', '10.0.0.0/33', '10.0.0'])
    expect(readConfig({ TRIBUTARY_TRUSTED_PROXIES: proxy }).problems).toEqual([expect.stringContaining(`'${proxy}'`)])
})

test('production reports all missing settings at once', () => {
  const { problems } = readConfig({ TRIBUTARY_MODE: 'production' })
  expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
    'DATABASE_URL',
    'TRIBUTARY_PUBLIC_URL',
    'TRIBUTARY_MASTER_KEY',
    'TRIBUTARY_SMTP_URL',
  ])
})

test('production starts with all required settings', () => {
  const { config, problems } = readConfig(production)
  expect(problems).toEqual([])
  expect(config.masterKeys?.current.toString('base64')).toBe(key)
})

test('the sender of emails is at the portal’s host, or as configured', () => {
  const from = (text: string) => readConfig({ ...production, TRIBUTARY_MAIL_FROM: text })
  expect(readConfig(production).config.mailFrom).toBe('Tributary <no-reply@tributary.example>')
  expect(readConfig({}).config.mailFrom).toBe('Tributary <no-reply@localhost>')
  for (const text of ['mail@example.com', 'Data at Example <mail@example.com>']) {
    expect(from(text)).toMatchObject({ problems: [], config: { mailFrom: text } })
  }
  for (const text of [
    '',
    'nobody',
    'A <mail@example.com',
    'a@x.example, b@x.example',
    'A\r\nBcc: b@x.example <a@x.example>',
    'a b@x.example',
  ])
    expect(from(text).problems).toEqual([expect.stringContaining('TRIBUTARY_MAIL_FROM must be an address')])
})

test('the mail server needs a valid URL', () => {
  for (const url of ['smtp://mail', 'smtp://u%40x:p@mail.example:587', 'smtps://[2001:db8::1]:465'])
    expect(readConfig({ ...production, TRIBUTARY_SMTP_URL: url }).problems).toEqual([])
  for (const url of ['smtps://', 'https://mail.example', 'smtp://mail:port', 'mail.example:25'])
    expect(readConfig({ ...production, TRIBUTARY_SMTP_URL: url }).problems).toEqual([
      expect.stringContaining('TRIBUTARY_SMTP_URL must be'),
    ])
})

test('production reports all weak settings at once, and repeats no secret', () => {
  const { problems } = readConfig({
    ...production,
    DATABASE_URL: 'mysql://root:s3cret@db/x',
    TRIBUTARY_PUBLIC_URL: 'http://tributary.example/portal',
    TRIBUTARY_MASTER_KEY: Buffer.alloc(32, 'changeme').toString('base64'),
    TRIBUTARY_SMTP_URL: 'mail:s3cret@example',
    TRIBUTARY_ROLE: 'boss',
    PORT: '99999',
  })
  for (const name of [
    'DATABASE_URL',
    'TRIBUTARY_PUBLIC_URL',
    'TRIBUTARY_MASTER_KEY',
    'TRIBUTARY_SMTP_URL',
    'TRIBUTARY_ROLE',
    'PORT',
  ]) {
    expect(problems.filter((problem) => problem.startsWith(name))).toHaveLength(1)
  }
  expect(problems.join(' ')).not.toMatch(/s3cret|changeme/u)
})

const weak = {
  'all zeros': Buffer.alloc(32).toString('base64'),
  'counting up': Buffer.from(Array.from({ length: 32 }, (_, at) => at)).toString('base64'),
  'typed text': Buffer.from('correct-horse-battery-staple-abc').toString('base64'),
  'too short': randomBytes(16).toString('base64'),
  'not base64': 'x'.repeat(40),
}
test.each(Object.entries(weak))('a master key that is %s is refused', (_, text) => {
  expect(readConfig({ ...production, TRIBUTARY_MASTER_KEY: text }).problems).toEqual([
    expect.stringContaining('TRIBUTARY_MASTER_KEY'),
  ])
})

test('random keys are never refused as weak', () => {
  for (let round = 0; round < 2_000; round += 1) {
    expect(readConfig({ ...production, TRIBUTARY_MASTER_KEY: randomBytes(32).toString('base64') }).problems).toEqual([])
  }
})

test('the master key may be in a file that only its owner reads', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-key-'))
  const file = join(folder, 'key')
  writeFileSync(file, `${key}\n`, { mode: 0o600 })
  const { TRIBUTARY_MASTER_KEY: _, ...others } = production
  const inFile = { ...others, TRIBUTARY_MASTER_KEY_FILE: file }
  expect(readConfig(inFile).problems).toEqual([])
  chmodSync(file, 0o644)
  expect(readConfig(inFile).problems).toEqual([expect.stringContaining('can be read by others')])
  expect(readConfig({ ...inFile, TRIBUTARY_MASTER_KEY: key }).problems).toEqual(
    expect.arrayContaining([expect.stringContaining('both set')]),
  )
  rmSync(folder, { recursive: true })
  expect(readConfig(inFile).problems).toEqual([expect.stringContaining('cannot be read')])
})

test('any secret may be in a file, and an unreadable file is reported once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-secret-'))
  const file = join(folder, 'database')
  writeFileSync(file, `${production.DATABASE_URL}\n`, { mode: 0o600 })
  const { DATABASE_URL: _, ...others } = production
  const client = { TRIBUTARY_OIDC_GOOGLE_CLIENT_ID: 'id', TRIBUTARY_OIDC_GOOGLE_CLIENT_SECRET_FILE: file }
  const { config, problems } = readConfig({ ...others, ...client, DATABASE_URL_FILE: file })
  expect(problems).toEqual([])
  expect(config.databaseUrl).toBe(production.DATABASE_URL)
  expect(config.providers[0]?.clientSecret).toBe(production.DATABASE_URL)
  rmSync(folder, { recursive: true })
  expect(readConfig({ ...others, DATABASE_URL_FILE: file }).problems).toEqual([
    `DATABASE_URL_FILE cannot be read (ENOENT): ${file}`,
  ])
})

test('the standard variables configure tracing, and their errors repeat no secret', () => {
  expect(readConfig({ OTEL_SERVICE_NAME: 'x' }).config.tracing).toBeNull()
  expect(
    readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_SDK_DISABLED: 'true' }).config.tracing,
  ).toBeNull()
  const given = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/',
    OTEL_EXPORTER_OTLP_HEADERS: 'a=b%20c, x=1=2',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  }
  expect(readConfig(given)).toMatchObject({
    problems: [],
    config: {
      tracing: {
        exporter: { url: 'http://c:4318/v1/traces', headers: { a: 'b c', x: '1=2' } },
        serviceName: 'tributary',
        sampler: 'parentbased_always_on',
        ratio: 0.25,
      },
    },
  })
  const { problems } = readConfig({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
    OTEL_EXPORTER_OTLP_HEADERS: 'canary-secret',
    OTEL_TRACES_SAMPLER: 'some',
    OTEL_TRACES_SAMPLER_ARG: 'most',
    TRIBUTARY_METRICS_TOKEN: 'canary-secret',
  })
  expect(problems.map((problem) => problem.split(' ')[0]).toSorted()).toEqual([
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'OTEL_EXPORTER_OTLP_HEADERS',
    'OTEL_TRACES_SAMPLER',
    'OTEL_TRACES_SAMPLER_ARG',
    'TRIBUTARY_METRICS_TOKEN',
  ])
  expect(problems.join(' ')).not.toContain('canary')
})
