/**
 * The test cases of OASIS for OData's ABNF, read from the files that the person who runs the programme names, and what the feed's parser
 * does with each.
 * https://github.com/oasis-tcs/odata-abnf/tree/main/abnf
 */
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { ODataError } from '../../../server/src/features/odata/odata-error.ts'
import { type OptionName, parseQueryOptions, parseResource } from '../../../server/src/features/odata/parse/address.ts'
import { parseApply } from '../../../server/src/features/odata/parse/apply.ts'
import {
  parseBoolean,
  parseFilter,
  parseOrderBy,
  parseRowCount,
  parseSelect,
} from '../../../server/src/features/odata/parse/options.ts'
import { parseSearch } from '../../../server/src/features/odata/parse/search.ts'

export interface AbnfCase {
  readonly Name: string
  readonly Rule: string
  readonly Input: string
  /** The position of the error in an input that the rule does not match. */
  readonly FailAt?: number
}

export type Outcome = 'accepted' | 'not supported' | 'refused'

export function readCases(file: string): readonly AbnfCase[] {
  return (parse(readFileSync(file, 'utf8')) as { readonly TestCases: readonly AbnfCase[] }).TestCases
}

const valueParsers: Readonly<Record<OptionName, (text: string) => unknown>> = {
  apply: parseApply,
  count: parseBoolean,
  filter: parseFilter,
  format: String,
  orderby: parseOrderBy,
  search: parseSearch,
  select: parseSelect,
  skip: parseRowCount,
  skiptoken: String,
  top: parseRowCount,
}

function parseOptions(query: string): void {
  for (const [name, value] of Object.entries(parseQueryOptions(query))) valueParsers[name as OptionName](value)
}

function parseRelative(text: string): void {
  const [path = '', ...query] = text.split('?')
  parseResource(path)
  parseOptions(query.join('?'))
}

/** Literals are read once by the address, as in a request. */
const inFilter = (text: string): void => parseOptions(`$filter=${text}`)

/** What the parser is for, by the rules of the ABNF. The others are about payloads, headers and schemes of addresses. */
const ruleParsers: Readonly<Record<string, (text: string) => void>> = {
  boolCommonExpr: inFilter,
  commonExpr: inFilter,
  filter: parseOptions,
  odataRelativeUri: parseRelative,
  orderBy: parseOptions,
  orderby: parseOptions,
  queryOptions: parseOptions,
  resourcePath: parseRelative,
  search: parseOptions,
  searchExpr: (text) => parseOptions(`$search=${text}`),
  select: parseOptions,
  systemQueryOption: parseOptions,
}

/** Null for a rule that the parser does not have. */
export function outcomeOf({ Rule: rule, Input: input }: AbnfCase): Outcome | null {
  const parser = ruleParsers[rule]
  if (parser === undefined) return null
  try {
    parser(input)
    return 'accepted'
  } catch (error) {
    if (!(error instanceof ODataError)) throw error
    return error.status === 501 ? 'not supported' : 'refused'
  }
}
