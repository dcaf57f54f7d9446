/** Comments of tables and columns, for targets on a real server. */
import { expect, test } from 'vitest'
import { batch, column, stream, table } from '../../engine/sync/fixtures.ts'
import type { CommentTexts } from '@tributary/engine/ports/target'
import { load, newName, newWriter, type TargetUnderTest, writing } from './target-bench.ts'

export interface CommentBench extends Omit<TargetUnderTest, 'asOf'> {
  /** Comments as SQL reads them, by column; that of the table has an empty name. Without empty ones. */
  comments(table: string): Promise<Readonly<Record<string, string>>>
  comment(table: string, column: string, text: string): Promise<void>
  /** Most characters of a column's comment. */
  readonly longest: number
}

/** What people and sources could write. */
const hostileTexts = [
  `it's "quoted" \\ back\\\\slash \\' and \`ticks\``,
  'line one\nline two\r\n\ttab',
  '| a | pipe | <script>alert(1)</script> &amp; $$ dollar ?',
  'مرحبا \u202Eright to left\u202C',
  "'; DROP TABLE x; --",
  "CHECK (a) COMMENT 'inner' /* x */",
]

const columns = [
  column('id', { kind: 'integer', bytes: 4 }, false),
  column('note', { kind: 'text' }),
  column('document', { kind: 'json' }),
  column('odd `name" \'x', { kind: 'decimal', precision: 19, scale: 4 }),
]

export function commentCases(make: () => Promise<CommentBench>): void {
  writtenCases(make)
  keptCases(make)
}

const textOf =
  (about: string, ofColumns = about): CommentTexts =>
  (_, name) =>
    name === null ? about : ofColumns

/** A table with a row, and a function that writes its comments. */
async function fill(bench: CommentBench) {
  const writer = newWriter()
  const main = table(newName('described').replace(' ', '_'), columns)
  const rows = batch(main, [['1', 'kept', '[]', '1.5000']])
  await writing(bench, (target) => load(target, stream(main), { batches: [rows] }), writer)
  const write = (texts: CommentTexts) =>
    writing(
      bench,
      async (target) => {
        await target.prepare(stream(main))
        await target.writeComments(stream(main), texts)
      },
      writer,
    )
  const refresh = (texts: CommentTexts | null) =>
    writing(
      bench,
      async (target) => {
        await load(target, stream(main), { batches: [rows], mode: { kind: 'replace', resume: false } })
        if (texts !== null) await target.writeComments(stream(main), texts)
      },
      writer,
    )
  return { main, write, refresh }
}

function writtenCases(make: () => Promise<CommentBench>): void {
  test.each(hostileTexts)('[SEE-6] the comment %j arrives as it is, with our mark, and the rows stay', async (text) => {
    await using bench = await make()
    const { main, write } = await fill(bench)
    await write(textOf(text))
    const comments = await bench.comments(main.name)
    expect(Object.keys(comments).toSorted()).toEqual(['', ...columns.map(({ name }) => name)].toSorted())
    for (const comment of Object.values(comments)) expect(comment).toMatch(/ \[Tributary [0-9a-f]{8}\]$/)
    expect(new Set(Object.values(comments).map((comment) => comment.slice(0, -21)))).toEqual(new Set([text.trim()]))
    expect(await bench.rows(main)).toEqual([['1', 'kept', '[]', '1.5000']])
    await write(textOf(text))
    expect(await bench.comments(main.name)).toEqual(comments)
  })

  test('[SEE-6] a comment of 64 KB is cut to what the database holds', async () => {
    await using bench = await make()
    const { main, write } = await fill(bench)
    await write(textOf('x🦀'.repeat(22_000)))
    const { note = '' } = await bench.comments(main.name)
    expect(note.length).toBeLessThanOrEqual(bench.longest)
    expect(note).toMatch(/… \[Tributary [0-9a-f]{8}\]$/)
  })

  test('[SEE-6] changed words replace a comment of ours, and words that are taken back remove it', async () => {
    await using bench = await make()
    const { main, write } = await fill(bench)
    await write(textOf('first'))
    await write(textOf('second', ''))
    expect(await bench.comments(main.name)).toEqual({ '': expect.stringMatching(/^second \[Tributary/) as unknown })
  })
}

function keptCases(make: () => Promise<CommentBench>): void {
  test('[SEE-6] a comment that somebody else has written or changed stays, through a full refresh, too', async () => {
    await using bench = await make()
    const { main, write, refresh } = await fill(bench)
    await bench.comment(main.name, '', 'The table of the finance team')
    await write(textOf('ours'))
    const { note = '', '': about } = await bench.comments(main.name)
    expect(about).toBe('The table of the finance team')
    await bench.comment(main.name, 'note', note.replace('ours', 'ours, and theirs'))
    await refresh(textOf('newer'))
    expect(await bench.comments(main.name)).toMatchObject({
      '': 'The table of the finance team',
      note: note.replace('ours', 'ours, and theirs'),
      id: expect.stringMatching(/^newer \[Tributary/) as unknown,
    })
    expect(await bench.rows(main)).toEqual([['1', 'kept', '[]', '1.5000']])
  })

  test('[SEE-6] a full refresh keeps the comments of every column before they are written again', async () => {
    await using bench = await make()
    const { main, write, refresh } = await fill(bench)
    await write(textOf('ours'))
    const before = await bench.comments(main.name)
    await refresh(null)
    expect(await bench.comments(main.name)).toEqual(before)
  })
}
