/** Tables of threats and of the ASVS requirements, from docs/figures/threats.json and docs/figures/asvs.json. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { markdownTable } from './markdown-table.ts'

interface Threat {
  readonly threat: string
  readonly control: string
  /** Markdown that names the tests. */
  readonly proof: string
}

interface AsvsChapter {
  readonly chapter: string
  readonly requirements: readonly AsvsRequirement[]
}

interface AsvsRequirement {
  readonly requirement: string
  /** Numbers of the standard: `2.2.1, 15.3.3`. */
  readonly asvs: string
  /** Markdown that names the tests. */
  readonly proof: string
  /** Where Tributary deviates on purpose, and what compensates for it. */
  readonly differs?: string
}

export const requirementTables: Readonly<Record<string, () => string>> = {
  threats: () =>
    markdownTable(
      ['Threat', 'Control', 'Proof'],
      readFigures<readonly Threat[]>('threats').map(({ threat, control, proof }) => [threat, control, proof]),
    ),
  asvs: renderAsvs,
}

/** A heading and a table for each chapter; requirements are numbered throughout. */
function renderAsvs(): string {
  let number = 0
  const render = ({ requirement, asvs, proof, differs }: AsvsRequirement) => {
    number += 1
    return [String(number), requirement, asvs, differs === undefined ? proof : `${proof}. **Differs:** ${differs}`]
  }
  return readFigures<readonly AsvsChapter[]>('asvs')
    .map(
      ({ chapter, requirements }) =>
        `## ${chapter}\n\n${markdownTable(['#', 'Requirement', 'ASVS', 'Proof'], requirements.map(render))}`,
    )
    .join('\n')
}

function readFigures<T>(name: string): T {
  return JSON.parse(readFileSync(join(import.meta.dirname, `../../docs/figures/${name}.json`), 'utf8')) as T
}
