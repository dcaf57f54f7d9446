/** Persists the companies in a file, so that their books continue after a restart of the simulator. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import { createRandom } from '../../random.ts'
import type { XeroCompany } from './company.ts'

interface SavedBooks {
  readonly seed: number
  readonly companies: readonly Omit<XeroCompany, 'random'>[]
}

/** Undefined if the file is missing or unreadable. */
export function loadBooks(file: string): readonly XeroCompany[] | undefined {
  if (!existsSync(file)) return undefined
  try {
    const { seed, companies } = deserialize(readFileSync(file)) as SavedBooks
    return companies.map((company, index) => ({ ...company, random: createRandom(seed + index) }))
  } catch {
    return undefined
  }
}

/** The state of the random numbers cannot be saved, so a new seed is stored each time. */
export function saveBooks(file: string, companies: readonly XeroCompany[]): void {
  const seed = companies[0]?.random.between(1, 2 ** 30) ?? 1
  const kept: SavedBooks = { seed, companies: companies.map(omitRandom) }
  writeFileSync(`${file}.new`, serialize(kept))
  renameSync(`${file}.new`, file)
}

function omitRandom(company: XeroCompany): Omit<XeroCompany, 'random'> {
  const { random: _chance, ...rest } = company
  return rest
}
