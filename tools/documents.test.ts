/** Checks that files, headings and tests that the documents refer to exist. */
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = dirname(import.meta.dirname)
const pages = [
  ...listPages('.').filter((name) => !name.includes('/')),
  ...listPages('docs').map((name) => join('docs', name)),
]

describe('the documents', () => {
  test.each(pages)('every link and picture of %s has an existing target', (page) => {
    expect(findBrokenLinks(page, readPage(page))).toEqual([])
  })

  test('a link to a file or a heading that does not exist is reported', () => {
    const text =
      '[a](absent.md) [b](keys.md#absent) ![c](images/absent.png) [d](keys.md) [e](https://example.com/) `[f](absent.md)`'
    expect(findBrokenLinks('docs/security.md', text)).toEqual(['absent.md', 'keys.md#absent', 'images/absent.png'])
  })

  test('CONTRIBUTING.md describes every npm script in one line, and no other', () => {
    const { scripts } = JSON.parse(readPage('package.json')) as { readonly scripts: Readonly<Record<string, string>> }
    const described = [...readPage('CONTRIBUTING.md').matchAll(/^\| `npm (?:run )?(\w+)[^`]*` \|/gmu)].map(
      ([, name]) => name,
    )
    expect(described.toSorted()).toEqual(Object.keys(scripts).toSorted())
  })

  test('every test that the pages about security name as a proof exists', () => {
    const asvs = readPage('docs/asvs.md')
    expect(asvs.match(/^\| \d+ \|/gmu)).toHaveLength(84)
    expect(findMissingProofs(asvs)).toEqual([])
    expect(findMissingProofs(readPage('docs/security.md'))).toEqual([])
  })

  test('a proof whose file or title does not exist is reported', () => {
    const text =
      '`absent.test.ts`: `a`, `tests/organisation-isolation.test.ts`: `no such title`, `tools/documents.test.ts`: `a proof whose file or title does not exist`'
    expect(findMissingProofs(text)).toEqual(['absent.test.ts', 'tests/organisation-isolation.test.ts: no such title'])
  })
})

function listPages(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: folder !== '.', encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  )
}

function readPage(page: string): string {
  return readFileSync(join(root, page), 'utf8')
}

function findBrokenLinks(page: string, text: string): string[] {
  const targets = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/gu)].map(([, target]) => target ?? '')
  return targets.filter((target) => !/^[a-z]+:/u.test(target) && !isValidTarget(page, target))
}

function isValidTarget(page: string, target: string): boolean {
  const [path = '', heading] = target.split('#')
  const file = path === '' ? join(root, page) : resolve(root, dirname(page), path)
  if (!existsSync(file)) return false
  return heading === undefined || (statSync(file).isFile() && listAnchors(readFileSync(file, 'utf8')).includes(heading))
}

/** The anchors that GitHub generates for headings. */
function listAnchors(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gmu)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  )
}

function withoutCode(text: string): string {
  return text.replaceAll(/```[\s\S]*?```/gu, '').replaceAll(/`[^`\n]*`/gu, '')
}

function findMissingProofs(text: string): string[] {
  const named = text.matchAll(/`([\w./-]+\.(?:test|spec)\.tsx?)`(?:: `([^`]+)`)?/gu)
  return [...named].flatMap(([, path = '', title]) => {
    const file = [path, join('server/src', path)].map((name) => join(root, name)).find((name) => existsSync(name))
    if (file === undefined) return [path]
    return title === undefined || readFileSync(file, 'utf8').includes(title) ? [] : [`${path}: ${title}`]
  })
}
