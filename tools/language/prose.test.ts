/** The prose check: comments and documents use the field's words. */
import { describe, expect, test } from 'vitest'
import { findRetiredWords } from './prose.ts'
import { commentsOf, listTracked, paragraphsOf, readTracked, type Passage } from './sources.ts'

/** A kind of file, how its prose is read, and how many passages there are at the least. */
const kinds: readonly (readonly [string, readonly string[], (file: string, source: string) => Passage[], number])[] = [
  ['comments', ['*.ts', '*.tsx', '*.mjs', '*.js'], commentsOf, 5_000],
  ['documents', ['*.md'], paragraphsOf, 500],
]

/**
 * Places whose prose is still in the private dialect of earlier releases. A place leaves this list when it is
 * rewritten, and none joins it.
 */
const notYetRewritten: readonly string[] = []
const isRewritten = (file: string) => !notYetRewritten.some((place) => file.startsWith(place))

describe.each(kinds)('%s', (_, patterns, read, least) => {
  test('use none of the retired words', { timeout: 60_000 }, async () => {
    const passages = listTracked(...patterns).flatMap((file) => read(file, readTracked(file)))
    expect(passages.length).toBeGreaterThan(least)
    expect(await findRetiredWords(passages.filter(({ file }) => isRewritten(file)))).toEqual([])
  })
})

test('every place that is listed as not yet rewritten has a retired word', { timeout: 60_000 }, async () => {
  const passages = kinds.flatMap(([, patterns, read]) =>
    listTracked(...patterns).flatMap((file) => read(file, readTracked(file))),
  )
  const found = await findRetiredWords(passages)
  expect(notYetRewritten.filter((place) => !found.some((line) => line.startsWith(place)))).toEqual([])
})

test('a retired word is found with its line and what to write instead', async () => {
  const comment = commentsOf('a.ts', `const a = 'tell'\n\n/**\n * A job is only\n * a doorbell.\n */\n`)
  expect(await findRetiredWords(comment)).toEqual([
    'a.ts:5: Incorrect term: “doorbell”, use “wake-up notification” instead',
  ])
  const paragraphs = paragraphsOf('a.md', '# Runs\n\n```\ntell\n```\n\nIt `goes on`.\n\nThe run\ngoes on.\n')
  expect(await findRetiredWords(paragraphs)).toEqual([
    'a.md:10: Incorrect term: “goes on”, use “continue or resume” instead',
  ])
})
