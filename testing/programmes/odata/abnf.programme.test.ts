/** OASIS's test cases for the ABNF of OData, through the feed's parser. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type AbnfCase, outcomeOf, readCases } from './abnf-cases.ts'

const folder = process.env['TRIBUTARY_ODATA_ABNF'] ?? ''

/** What the feed decides otherwise, and why. */
const exceptions: Readonly<Record<string, string>> = {
  '$filter= true': 'Spaces around an expression are harmless.',
  'Items(1)': 'ABNF knows from its model that Items is a set; the feed has no such function.',
  '$search=#1': 'A number sign never arrives: it ends the address.',
  '$search=more&more': 'The second part is an option without a dollar sign, which is ignored.',
  '$search=a;b': 'A decoded semicolon is a character like others.',
  '$format=json&$Format=atom&$format=xml&$format=text/html': 'An option may be there once.',
  '$format=JSON&$format=Atom&$format=XML&$format=text/html': 'An option may be there once.',
}

test.each([
  ['odata-abnf-testcases.yaml', 150],
  ['odata-aggregation-testcases.yaml', 15],
])('[SEE-9] %s: what is valid is read or refused with 501, and what is not is refused', (file, acceptedMin) => {
  const cases = readCases(join(folder, file)).map((each) => ({ ...each, outcome: outcomeOf(each) }))
  const wrong = cases.filter(({ FailAt, outcome }) => outcome === (FailAt === undefined ? 'refused' : 'accepted'))
  const unexplained = wrong.filter(({ Input }: AbnfCase) => exceptions[Input] === undefined)
  expect(unexplained).toEqual([])
  const count = (wanted: string | null) => cases.filter(({ outcome }) => outcome === wanted).length
  expect(count('accepted')).toBeGreaterThan(acceptedMin)
  process.stdout.write(
    `programme: ${file}: ${cases.length} cases; ${count('accepted')} read, ${count('not supported')} refused with 501, ` +
      `${count('refused')} refused with 400, ${count(null)} about other rules, ${wrong.length} decided otherwise\n`,
  )
})
