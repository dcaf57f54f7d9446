/** Compares claims of the documents with the code: import rules, limits, accounts, paths, numbers of decisions. */
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { trialPassword, trialPeople } from '../../server/src/trial/people.ts'
import { importRules } from '../import-rules.ts'
import { listTracked, readTracked } from '../language/sources.ts'

const root = join(import.meta.dirname, '../..')

describe('ARCHITECTURE.md', () => {
  const text = readTracked('ARCHITECTURE.md')

  test('lists every room of the server with what it may import', () => {
    const claimed = tableBelow(text, 'Rooms of the server').map(([room = '', , imports = '']) => [
      stripCode(room).replace(/\/$/u, ''),
      imports === 'all of `server/src`, and sims'
        ? ['sims/src', 'server/src']
        : list(imports).map((name) => `server/src/${name}`),
    ])
    const both = new Set(['contract/src', 'engine/src', 'server/src/app-services.ts'])
    const enforced = importRules
      .filter(({ folder }) => folder.startsWith('server/src/'))
      .map(({ folder, mayImport }) => [folder.slice('server/src/'.length), mayImport.filter((path) => !both.has(path))])
    expect(sorted(claimed)).toEqual(sorted(enforced))
  })

  test('lists every package with what it may import', () => {
    const claimed = tableBelow(text, 'Packages').map(([name = '', , imports = '']) => [
      stripCode(name).replace(/\/$/u, ''),
      list(imports.replace('; in `trial/` also sims', '')),
    ])
    const enforced = importRules
      .filter(({ folder }) => /^\w+\/src$/u.test(folder))
      .map(({ folder, mayImport }) => [dirname(folder), mayImport.map((path) => dirname(path))])
    expect(sorted(claimed)).toEqual(sorted([...enforced, ['testing', ['every package']]]))
  })

  test('names every file that reads the environment or touches the process', () => {
    const sources = listTracked('server/src/*.ts', 'engine/src/*.ts', 'contract/src/*.ts').filter(
      (file) => !file.endsWith('.test.ts'),
    )
    const using = (pattern: RegExp) => sources.filter((file) => pattern.test(withoutComments(readTracked(file))))
    expect(using(/\bprocess\.env\b/u)).toEqual(claimedFiles(text, 'reads the environment'))
    expect(using(/\bprocess\.(?:exit|exitCode|on|once|kill|argv|stdout|stderr|abort)\b/u)).toEqual(
      claimedFiles(text, 'Only these files touch the process'),
    )
  })
})

describe('CONTRIBUTING.md', () => {
  test('gives the limits that the linter enforces', () => {
    const { rules } = JSON.parse(readTracked('.oxlintrc.json')) as { readonly rules: Record<string, unknown> }
    const max = (rule: string) => (rules[rule] as readonly [string, { readonly max: number }])[1].max
    expect(readTracked('CONTRIBUTING.md')).toContain(
      `have at most ${max('max-lines')} lines; functions have at most ${max('max-lines-per-function')}.`,
    )
  })
})

describe('README.md', () => {
  test('lists the accounts of a trial and their password', () => {
    const text = readTracked('README.md')
    const accounts = tableBelow(text, 'Start a trial').flatMap(([cell = '']) => list(stripCode(cell)))
    expect(accounts.toSorted()).toEqual(trialPeople.map(({ emailAddress }) => emailAddress).toSorted())
    expect(text).toContain(`is \`${trialPassword}\``)
  })
})

describe('documents', () => {
  test('name files that exist, also where a path is given below server/src', () => {
    const bases = ['', 'server/src', 'web/src', 'engine/src']
    const missing = listTracked('*.md')
      .filter((file) => file !== 'CHANGELOG.md')
      .flatMap((file) =>
        [...readTracked(file).matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:tsx?|mjs|sql))`/gu)]
          .map(([, path = '']) => path)
          .filter((path) => !bases.some((base) => existsSync(join(root, base, path))))
          .map((path) => `${file}: ${path}`),
      )
    expect(missing).toEqual([])
  })

  test('number each decision as its file does', () => {
    const wrong = listTracked('docs/decisions/*.md').filter((file) => {
      const number = Number(basename(file).slice(0, 4))
      return !readTracked(file).startsWith(`# ${number}. `)
    })
    expect(wrong).toEqual([])
  })
})

/** Cells of the first table below a heading, without its header. */
function tableBelow(text: string, heading: string): string[][] {
  const [, rest = ''] = text.split(`## ${heading}\n`)
  const lines = (rest.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('|'))
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim()),
  )
}

/** Files in backticks of the list item that has these words. */
function claimedFiles(text: string, words: string): string[] {
  const [item = ''] = text.split(/\n(?=- )/u).filter((one) => one.includes(words))
  return [...item.matchAll(/`([\w./-]+\.ts)`/gu)].map(([, path = '']) => path).toSorted()
}

function list(cell: string): string[] {
  return cell === 'none' ? [] : cell.split(',').map((name) => name.trim())
}

function stripCode(cell: string): string {
  return cell.replaceAll('`', '')
}

function withoutComments(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/gu, '')
}

function sorted(rows: readonly (readonly (string | readonly string[])[])[]): string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted()
}
