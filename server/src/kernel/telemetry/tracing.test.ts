import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { trialPassword } from '../../trial/people.ts'
import { expect, test } from 'vitest'
import { startWorker } from '../../worker.ts'
import { systemClock } from '../clock.ts'
import { RunDriver } from '@tributary/testing/server/connectors/run-driver.ts'
import { sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { testApp } from '@tributary/testing/server/app/test-app.ts'

interface ExportedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes: readonly {
    readonly key: string
    readonly value: { readonly stringValue?: string; readonly intValue?: number }
  }[]
}

/** A collector that receives OTLP as JSON over HTTP. */
async function startCollector() {
  const bodies: string[] = []
  const headers: IncomingHttpHeaders[] = []
  const server = createServer((request, reply) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => (body += part))
    request.on('end', () => {
      headers.push(request.headers)
      bodies.push(body)
      reply.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const spans = () =>
    bodies.flatMap((body) => {
      const { resourceSpans } = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: ExportedSpan[] }[] }[] }
      return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
    })
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { address, bodies, headers, spans, close: () => server.close() }
}

function attribute({ attributes }: ExportedSpan, key: string) {
  return attributes.find((one) => one.key === key)?.value.stringValue
}

test('a call, a run, its streams and its connections are exported as spans, without secrets or personal data', async () => {
  const collector = await startCollector()
  const app = await testApp({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.address, OTEL_EXPORTER_OTLP_HEADERS: 'x-key=canary%20key' },
  })
  const worker = await startWorker({ ...app.services, clock: systemClock }, { pollMs: 200 })
  const source = await sourceDatabase(`CREATE TABLE things (id int PRIMARY KEY); INSERT INTO things VALUES (1)`)
  const driver = new RunDriver(app.as.admin, app.harbour.id, source)
  const run = await driver.runToEnd(await driver.add('Traced'))
  expect(run.Status).toBe('COMPLETED')
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const body = { emailAddress: 'admin@demo.example', password: trialPassword }
  const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` }
  await app.http.inject({ method: 'POST', url: '/api/auth/signin?canary=query', headers, payload: body })
  await worker.stop()
  await app[Symbol.asyncDispose]()
  collector.close()

  const spans = collector.spans()
  const called = spans.find((span) => span.traceId === traceId)
  expect(called).toMatchObject({ name: 'POST /api/auth/signin', parentSpanId: 'b7ad6b7169203331' })
  expect(app.logLines.find((line) => line.includes(traceId))).toContain('"route":"/api/auth/signin"')

  const traced = spans.find(({ name }) => name === 'run')
  expect(traced?.parentSpanId ?? '').toBe('')
  const parts = spans.filter((span) => span.parentSpanId === traced?.spanId && span.traceId === traced?.traceId)
  expect(parts.map(({ name }) => name).toSorted()).toEqual(expect.arrayContaining(['connect', 'stream']))
  expect(parts.flatMap((span) => attribute(span, 'tributary.stream') ?? [])).toEqual(['public.things'])
  if (traced !== undefined) expect(attribute(traced, 'tributary.result')).toBe('completed')
  expect(app.logLines.find((line) => line.includes('run released'))).toContain(`"traceId":"${traced?.traceId}"`)

  const started = spans.find(({ name }) => name.endsWith('/process'))
  expect(started === undefined ? undefined : attribute(started, 'tributary.organisation_id')).toBe(app.harbour.id)
  const line = app.logLines.find((one) => one.includes('/process"'))
  expect(JSON.parse(line ?? '')).toMatchObject({
    msg: 'call',
    organisationId: app.harbour.id,
    traceId: started?.traceId,
  })
  expect(collector.headers[0]?.['x-key']).toBe('canary key')
  expect(collector.bodies.join('')).not.toMatch(/canary|@demo|tributary-demo/u)
})

test('an unreachable collector is logged once and has no other effect', async () => {
  process.env['OTEL_EXPORTER_OTLP_TIMEOUT'] = '100'
  const app = await testApp({ env: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:9/v1/traces' } })
  delete process.env['OTEL_EXPORTER_OTLP_TIMEOUT']
  expect((await app.as.admin.send('GET', '/api/users')).status).toBe(200)
  await app[Symbol.asyncDispose]()
  expect(app.logLines.filter((line) => line.includes('traces cannot be delivered'))).toHaveLength(1)
})
