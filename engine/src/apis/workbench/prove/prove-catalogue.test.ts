/**
 * Every description of the catalogue, on the API that is generated from it. The slices of `.ci/run` prove one stream of each way of
 * finding changes and deletions, `npm run soak` proves all of them.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { isFull } from '@tributary/testing/programmes/extent.ts'
import { expect, test } from 'vitest'
import { parseDescription } from '../../described/description/parse.ts'
import type { SourceDescription } from '../../described/description/source-description.ts'
import { proveStreamSimulated, streamsIn } from './prove.ts'
import { simulatedChecks } from './verdict.ts'

const isKept = 'The description says that records are never deleted, which only the API can confirm.'
const isOne = 'The reply is the account or company itself, which is not deleted.'

/** The only checks that remain not proven, and why. */
const notProven: Readonly<Record<string, readonly string[]>> = {
  'business-central': [],
  'e-conomic': [`company deletes: ${isOne}`],
  'exact-online': [],
  quickbooks: [],
  stripe: [
    `subscription deletes: ${isKept}`,
    `credit_note deletes: ${isKept}`,
    `charge deletes: ${isKept}`,
    `refund deletes: ${isKept}`,
    `dispute deletes: ${isKept}`,
    `payout deletes: ${isKept}`,
    `balance_transaction deletes: ${isKept}`,
  ],
  uniconta: [`CompanyClient deletes: ${isOne}`],
}

/** How changed and deleted records are found. */
function wayOfChanges(description: SourceDescription, stream: string): string {
  const described = description.engine === 'odata' ? description.sets[stream] : description.streams[stream]
  return `${described?.changes?.kind} ${described?.deletes?.kind}`
}

function provenStreams(description: SourceDescription): readonly string[] {
  const streams = streamsIn(description)
  if (isFull) return streams
  return [...Map.groupBy(streams, (stream) => wayOfChanges(description, stream)).values()].flatMap(
    ([first]) => first ?? [],
  )
}

const folder = 'engine/src/apis'
const files = [
  ...readdirSync(`${folder}/catalogue`)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => `catalogue/${name}`),
  'uniconta/uniconta.yaml',
]

test.each(files)(
  '[SRC-10] %s: ties, late commits, deletes, cuts and kills are proven simulated for a stream of each way of finding changes, except those that are listed with the reason',
  async (file) => {
    const { description } = parseDescription(readFileSync(`${folder}/${file}`, 'utf8'))
    if (description === null) throw new Error(`${file} is not valid.`)
    const streams = provenStreams(description)
    const remaining: string[] = []
    let count = 0
    for (const stream of streams)
      for await (const proof of proveStreamSimulated({ description, stream, settings: null }, new AbortController())) {
        count += 1
        if (proof.verdict !== 'provenSimulated') remaining.push(`${stream} ${proof.check}: ${proof.why}`)
      }
    const expected = notProven[description.type]?.filter((line) =>
      streams.some((stream) => line.startsWith(`${stream} `)),
    )
    expect(remaining).toEqual(expected)
    expect(count).toBe(streams.length * simulatedChecks.length)
  },
  600_000,
)
