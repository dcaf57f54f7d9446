/** What a search asks for. */
import type { Run } from '@tributary/contract/runs'

type RunStatus = Run['Status']

export interface SearchTerm {
  /** Without spaces at its ends; never empty. */
  readonly text: string
  readonly words: readonly string[]
  readonly runs: RunTerm
  /** The ids that begin with the term, if it can be the beginning of one. */
  readonly runIds: { readonly first: string; readonly last: string } | null
}

interface RunTerm {
  /** The term without the words that say which runs. */
  readonly connectorText: string
  /** Empty: any status. */
  readonly statuses: readonly RunStatus[]
  readonly perConnector: number
}

const statusWords: Readonly<Record<string, readonly RunStatus[]>> = {
  run: [],
  runs: [],
  queued: ['QUEUED'],
  running: ['RUNNING'],
  waiting: ['WAITING'],
  completed: ['COMPLETED'],
  failed: ['FAILED'],
  cancelled: ['CANCELLED'],
}

const runsPerConnector = 3

/** Null if nothing is searched for. */
export function parseSearchTerm(search: string): SearchTerm | null {
  const text = search.trim()
  if (text === '') return null
  const words = text.split(/\s+/u)
  return { text, words, runs: parseRunTerm(words), runIds: parseRunIds(text) }
}

/** A term without such a word finds the latest run of each connector that it names. */
function parseRunTerm(words: readonly string[]): RunTerm {
  const isRunWord = (word: string) => Object.hasOwn(statusWords, word.toLowerCase())
  const statuses = words.filter(isRunWord).flatMap((word) => statusWords[word.toLowerCase()] ?? [])
  return {
    connectorText: words.filter((word) => !isRunWord(word)).join(' '),
    statuses,
    perConnector: words.some(isRunWord) ? runsPerConnector : 1,
  }
}

const idDigits = 32
/** A shorter beginning is more likely a word or a number. */
const idDigitsMin = 8

function parseRunIds(text: string): SearchTerm['runIds'] {
  const digits = text.replaceAll('-', '').toLowerCase()
  if (!/^[0-9a-f]+$/u.test(digits) || digits.length < idDigitsMin || digits.length > idDigits) return null
  return { first: toId(digits.padEnd(idDigits, '0')), last: toId(digits.padEnd(idDigits, 'f')) }
}

function toId(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5')
}
