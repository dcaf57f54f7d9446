/** Keeps the companies in a file, so that their books go on where they stood when the simulator is started anew. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import { seeded } from '../../random.ts'
import type { Company } from './company.ts'

interface Kept {
  readonly seed: number
  readonly companies: readonly Omit<Company, 'random'>[]
}

/** Undefined where nothing is kept, or nothing that can be read. */
export function recall(file: string): readonly Company[] | undefined {
  if (!existsSync(file)) return undefined
  try {
    const { seed, companies } = deserialize(readFileSync(file)) as Kept
    return companies.map((company, index) => ({ ...company, random: seeded(seed + index) }))
  } catch {
    return undefined
  }
}

/** Chance goes on from another number each time, as its own state cannot be kept. */
export function remember(file: string, companies: readonly Company[]): void {
  const seed = companies[0]?.random.between(1, 2 ** 30) ?? 1
  const kept: Kept = { seed, companies: companies.map(withoutChance) }
  writeFileSync(`${file}.new`, serialize(kept))
  renameSync(`${file}.new`, file)
}

function withoutChance(company: Company): Omit<Company, 'random'> {
  const { random: _chance, ...rest } = company
  return rest
}
