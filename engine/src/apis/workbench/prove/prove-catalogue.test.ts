/** Every description of the catalogue, on the API that is generated from it. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseDescription } from '../../described/description/parse.ts'
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

const folder = 'engine/src/apis'
const files = [
  ...readdirSync(`${folder}/catalogue`)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => `catalogue/${name}`),
  'uniconta/uniconta.yaml',
]

test.each(files)(
  '[SRC-10] %s: ties, late commits, deletes, cuts and kills of every stream are proven simulated, but for those that are listed with the reason',
  async (file) => {
    const { description } = parseDescription(readFileSync(`${folder}/${file}`, 'utf8'))
    if (description === null) throw new Error(`${file} is not valid.`)
    const remaining: string[] = []
    let count = 0
    for (const stream of streamsIn(description))
      for await (const proof of proveStreamSimulated({ description, stream, settings: null }, new AbortController())) {
        count += 1
        if (proof.verdict !== 'provenSimulated') remaining.push(`${stream} ${proof.check}: ${proof.why}`)
      }
    expect(remaining).toEqual(notProven[description.type])
    expect(count).toBe(streamsIn(description).length * simulatedChecks.length)
  },
  600_000,
)
