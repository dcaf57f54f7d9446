/** The description of Stripe against Stripe's official mock and its API description. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describedSource } from '@tributary/engine/apis/described/source'
import { requireDescription } from '@tributary/engine/apis/described/description/parse'
import type { RestDescription, StreamDescription } from '@tributary/engine/apis/described/description/schema'
import type { StripeObject } from '@tributary/sims/stripe/objects'
import { type ApiConnector, connectApi } from '../../engine/apis/api-connector.ts'
import { type SharedClock, sharedClock } from '../../engine/apis/shared-clock.ts'
import { differencesOf } from '../../engine/databases/differences.ts'
import { stripeRows } from '../../engine/described/stripe-rows.ts'
import { openNetwork } from '../../engine/sync/source-context.ts'
import { columnProblems, formsAt, type JsonSchema, type OpenApi } from './declared-types.ts'
import { mockKey, startStripeMock, type StripeMock } from './stripe-mock.ts'

const yaml = new URL('../../../engine/src/apis/catalogue/stripe.yaml', import.meta.url)
const description = requireDescription(readFileSync(yaml, 'utf8'), 'rest') as RestDescription
const streams = Object.entries(description.streams)

let mock: StripeMock
beforeAll(async () => {
  mock = await startStripeMock(process.env['TRIBUTARY_STRIPE_MOCK'] ?? '')
})
afterAll(() => mock[Symbol.dispose]())

test.each(requestsOf(description))('[SRC-8] Stripe’s API description allows GET %s', async (target) => {
  expect(await mock.get(target)).toMatchObject({ status: 200 })
})

test('[SRC-8] the mock refuses a parameter that Stripe does not know', async () => {
  expect(await mock.get('customers?changed_since=1')).toMatchObject({ status: 400 })
})

describe.each(streams)('[SRC-8] %s', (_, stream) => {
  test('has columns that Stripe’s API description declares, with types that hold every value', () => {
    expect(columnProblems(mock.api, recordSchema(mock.api, stream), stream.columns)).toEqual([])
    for (const { records, columns } of Object.values(stream.children ?? {})) {
      const [row] = formsAt(mock.api, recordSchema(mock.api, stream), `${records}/0`)
      expect(columnProblems(mock.api, row ?? {}, columns)).toEqual([])
    }
  })

  test('has a key and a mark of deletion where Stripe’s API description has them', () => {
    expect(formsAt(mock.api, recordSchema(mock.api, stream), '/id').map(({ type }) => type)).toContain('string')
    if (stream.changes?.kind !== 'events') return
    const known = new Set(eventTypes(mock.api))
    for (const { query = {}, ids } of stream.changes.of) {
      const types = Object.values(query).map(String)
      expect(types.filter((type) => !known.has(type))).toEqual([])
      for (const type of types)
        expect([type, ids.some((pointer) => isOfEvent(mock.api, type, pointer))]).toEqual([type, true])
    }
  })
})

test('[SRC-8] a first run, a run of changes and the comparison of keys take every fixture of Stripe exactly', async () => {
  const { connector, clock } = await connectMock()
  try {
    for (let run = 1; run <= 2; run += 1) {
      const outcome = await connector.run()
      expect(outcome).toMatchObject({ status: 'completed', fault: null })
      expect(outcome.streams.flatMap(({ rejected }) => rejected)).toEqual([])
      expect(await differencesOf(connector.target, stripeRows(await fixtures()), () => true)).toEqual([])
      clock.advance(2 * 86_400_000)
    }
  } finally {
    await connector[Symbol.asyncDispose]()
  }
})

async function connectMock(): Promise<{ readonly connector: ApiConnector; readonly clock: SharedClock }> {
  const clock = sharedClock()
  const source = describedSource(description)
  const settings = source.parse({ 'stripe.key': mockKey, 'stripe.address': mock.url })
  const open = (signal: AbortSignal) => source.open(settings, { network: openNetwork, clock, signal })
  return { connector: await connectApi({ clock, open, [Symbol.asyncDispose]: async () => {} }, 'postgres'), clock }
}

/** The objects that the mock has in its lists. */
async function fixtures(): Promise<Parameters<typeof stripeRows>[0]> {
  const lists = new Map<string, readonly StripeObject[]>()
  for (const [, { path }] of streams)
    lists.set(path, ((await mock.get(path)).body as { readonly data: readonly StripeObject[] }).data)
  const objects = [...lists.values()].flat()
  return {
    all: (collection) => lists.get(collection) ?? [],
    rowsOf(id) {
      const { lines, items } = (objects.find((object) => object.id === id) ?? {}) as {
        readonly lines?: { readonly data: StripeObject[] }
        readonly items?: { readonly data: StripeObject[] }
      }
      return (lines ?? items)?.data ?? []
    },
  }
}

/** Every form of a call that the description leads to, on some page. */
function requestsOf({ check, origin = [], streams: described }: RestDescription): readonly string[] {
  const page = { limit: 100, starting_after: 'id_1' }
  const calls = Object.values(described).flatMap(({ path, query, changes, children = {} }) => [
    target(path, { ...query, ...page }),
    ...(changes?.kind === 'events'
      ? [
          ...changes.of.map((of) => target(changes.path, { ...of.query, ...page, [changes.from.parameter]: 1 })),
          target(changes.record.path),
        ]
      : []),
    ...(changes?.kind === 'windows'
      ? [target(path, { ...query, ...page, [changes.from.parameter]: 1, [changes.to.parameter]: 2 })]
      : []),
    ...Object.values(children).flatMap(({ continued }) =>
      continued === undefined ? [] : [target(continued.path, { ...continued.query, ...page })],
    ),
  ])
  return [target(check.path, check.query), ...origin.map(({ path }) => target(path)), ...new Set(calls)]
}

function target(path: string, query: Readonly<Record<string, string | number | boolean>> = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value))
  return `${path}?${parameters.toString()}`.replaceAll(/\{id\}|%7Bid%7D/gu, 'id_1').replace(/\?$/u, '')
}

interface ListResponse {
  readonly get: {
    readonly responses: {
      readonly 200: { readonly content: { readonly 'application/json': { readonly schema: JsonSchema } } }
    }
  }
}

function recordSchema(api: OpenApi, { path }: StreamDescription): JsonSchema {
  const { get } = api.paths[`/v1/${path}`] as unknown as ListResponse
  const [record = {}] = formsAt(api, get.responses[200].content['application/json'].schema, '/data/0')
  return record
}

interface WebhookRequest {
  readonly post: {
    readonly requestBody: {
      readonly content: {
        readonly 'application/x-www-form-urlencoded': {
          readonly schema: { readonly properties: { readonly enabled_events: { readonly items: JsonSchema } } }
        }
      }
    }
  }
}

/** Webhooks name all types of events. */
function eventTypes(api: OpenApi): readonly string[] {
  const { post } = api.paths['/v1/webhook_endpoints'] as unknown as WebhookRequest
  const { schema } = post.requestBody.content['application/x-www-form-urlencoded']
  return schema.properties.enabled_events.items.enum ?? []
}

/** Whether the object of an event of the type has a key at the pointer. */
function isOfEvent(api: OpenApi, type: string, pointer: string): boolean {
  const names = type.split('.').slice(0, -1).toReversed()
  const object = names.flatMap((name) => api.components.schemas[name] ?? [])[0] ?? {}
  return formsAt(api, object, pointer.replace('/data/object', '')).some((form) => form.type === 'string')
}
