/**
 * Prints how large the product is and how well its language keeps to the rules of CONTRIBUTING.md: `npm run shape`.
 * Exits with 1 if a goal is missed.
 */
import { countRetired } from './prose.ts'
import { commentsOf, countTokens, isProduct, listTracked, paragraphsOf, readTracked, typeNamesOf } from './sources.ts'

interface Measure {
  readonly name: string
  readonly figure: string
  readonly goal: string
  readonly isMet: boolean
}

/** Tokens of the product before it was written in the field's language, counted by `countTokens` at commit aafe3ce. */
const tokensBefore = 710_555

/** Terms that a newcomer searches for: each is in the code where it applies. */
const standardTerms = [
  'atomic',
  'idempotent',
  'backoff',
  'backpressure',
  'heartbeat',
  'lease',
  'preload',
  'lazy',
  'middleware',
  'fencing token',
  'shadow table',
  'advisory lock',
]

const product = listTracked('*.ts', '*.tsx').filter(isProduct)
const sources = new Map(product.map((file) => [file, readTracked(file)]))

const measures = [
  measureTokens(),
  await measureProse('comments with a retired word', 2, passagesOf(product, commentsOf)),
  await measureProse('paragraphs of documents with a retired word', 4, passagesOf(listTracked('*.md'), paragraphsOf)),
  measureTypeNames(),
  measureFolders(),
  measureTerms(),
]
for (const { name, figure, goal, isMet } of measures)
  console.log(`${isMet ? 'ok  ' : 'MISS'} ${name}: ${figure} (goal: ${goal})`)
process.exitCode = measures.every(({ isMet }) => isMet) ? 0 : 1

function measureTokens(): Measure {
  const tokens = [...sources].reduce((sum, [file, source]) => sum + countTokens(file, source), 0)
  const change = (100 * (tokens - tokensBefore)) / tokensBefore
  const figure = `${tokens.toLocaleString('en')}, before ${tokensBefore.toLocaleString('en')}, ${change.toFixed(1)} %`
  return { name: 'tokens of the product', figure, goal: '-3 % or less', isMet: change <= -3 }
}

async function measureProse(name: string, most: number, passages: ReturnType<typeof commentsOf>): Promise<Measure> {
  const share = (100 * (await countRetired(passages))) / passages.length
  return {
    name,
    figure: `${share.toFixed(1)} % of ${passages.length}`,
    goal: `at most ${most} %`,
    isMet: share <= most,
  }
}

function passagesOf(files: readonly string[], read: typeof commentsOf): ReturnType<typeof commentsOf> {
  return files.flatMap((file) => read(file, sources.get(file) ?? readTracked(file)))
}

function measureTypeNames(): Measure {
  const files = new Map<string, Set<string>>()
  for (const [file, source] of sources)
    for (const name of typeNamesOf(source)) files.set(name, (files.get(name) ?? new Set()).add(file))
  const common = [...files].filter(([name, places]) => name !== 'Props' && places.size >= 4)
  const worst = common.toSorted((a, b) => b[1].size - a[1].size).slice(0, 8)
  const names = worst.map(([name, places]) => `${name} ${places.size}`).join(', ')
  return {
    name: 'type names that four or more files define',
    figure: `${common.length}${names === '' ? '' : `: ${names}`}`,
    goal: 'at most 3',
    isMet: common.length <= 3,
  }
}

/** `contract/src` has one file for each noun, however many there are. */
function measureFolders(): Measure {
  const sizes = new Map<string, number>()
  for (const file of product) {
    const folder = file.slice(0, file.lastIndexOf('/'))
    sizes.set(folder, (sizes.get(folder) ?? 0) + 1)
  }
  const crowded = [...sizes].filter(([folder, size]) => size > 25 && folder !== 'contract/src')
  return {
    name: 'folders with more than 25 source files',
    figure: crowded.map(([folder, size]) => `${folder} ${size}`).join(', ') || '0',
    goal: '0',
    isMet: crowded.length === 0,
  }
}

function measureTerms(): Measure {
  const code = [...sources.values()].join('\n').toLowerCase()
  const missing = standardTerms.filter((term) => !code.includes(term) && !code.includes(term.replaceAll(' ', '-')))
  return {
    name: 'standard terms that a search in the code does not find',
    figure: missing.join(', ') || '0',
    goal: '0',
    isMet: missing.length === 0,
  }
}
