/** The format of a CSV file is decided from the whole file, and ambiguous fields stay text. */
import { expect, test } from 'vitest'
import { readBytes, readInMainThread } from '@tributary/testing/server/excel/read-bytes.ts'

const forms: readonly (readonly [string, Buffer])[] = [
  ['commas', Buffer.from('a,b\r\n"x, y",ü\r\n')],
  ['semicolons', Buffer.from('a;b\n"x, y";ü\n')],
  ['tabs', Buffer.from('a\tb\r\nx, y\tü')],
  ['UTF-8 with a byte order mark', Buffer.from('\uFEFFa,b\n"x, y",ü\n')],
  ['UTF-16, little-endian', Buffer.from('\uFEFFa;b\r\n"x, y";ü\r\n', 'utf16le')],
  ['UTF-16, big-endian', Buffer.from('\uFEFFa;b\r\n"x, y";ü\r\n', 'utf16le').swap16()],
  ['Windows-1252', Buffer.from('a;b\r\n"x, y";ü\r\n', 'latin1')],
]

test.each(forms)('[ENG-5] a text file with %s is read', async (_, bytes) => {
  const { rows } = await readInMainThread(bytes)
  expect(rows).toEqual([
    ['a', 'b'],
    ['x, y', 'ü'],
  ])
})

test.each([
  ['sep=;\r\na;b,c\r\n1;2\r\n'],
  ['\uFEFFsep=,\na,b;c\n1,2\n'],
  ['SEP=|\na|b;c\n1|2\n'],
  ['"sep=\t"\na\tb;c\n1\t2\n'],
])('[ENG-5] a first line that names the separator (%j) is followed, and is no row', async (text) => {
  const { rows } = await readInMainThread(Buffer.from(text))
  expect(rows.map((row) => row.length)).toEqual([2, 2])
  expect(rows[0]?.[0]).toBe('a')
  expect(rows[1]).toEqual([{ n: '1' }, { n: '2' }])
})

test('[ENG-5] a column of codes stays text if some have more digits than a table number holds', async () => {
  const lines = [
    'Account;Amount',
    '12345678901234567890;123456789012345678',
    '4512345678901234;2',
    '4512345678901235;3',
  ]
  const { rows } = await readInMainThread(Buffer.from(lines.join('\n')))
  expect(rows.slice(1)).toEqual([
    ['12345678901234567890', { n: '123456789012345678' }],
    ['4512345678901234', { n: '2' }],
    ['4512345678901235', { n: '3' }],
  ])
})

test('[ENG-5] one number with too many digits does not turn the amounts of its column into text', async () => {
  const { rows } = await readInMainThread(Buffer.from('Amount;x\n12345678901234567890;x\n12;x\n14;x\n'))
  expect(rows.slice(1).map(([cell]) => cell)).toEqual(['12345678901234567890', { n: '12' }, { n: '14' }])
})

test('[ENG-5] empty cells at the end of a row are not columns, in any number and across chunks of a file', async () => {
  const commas = ','.repeat(300_000)
  const { rows, sheets } = await readInMainThread(
    Buffer.from(`a,,b${commas}\r\n${commas}\r\n"x,""y""",,1${commas}\n,2${commas}`),
  )
  expect(rows).toEqual([['a', null, 'b'], [], ['x,"y"', null, { n: '1' }], [null, { n: '2' }]])
  expect(sheets).toMatchObject([{ rows: 4, columns: 3 }])
})

test('[ENG-5] a guessed encoding is reported in a notice', async () => {
  const { sheets } = await readBytes(Buffer.from('a;b\r\n€;ü\r\n', 'latin1'))
  expect(sheets).toMatchObject([
    { name: 'CSV', rows: 2, columns: 2, notice: expect.stringContaining('Windows-1252') as unknown },
  ])
})

const values: readonly (readonly [string, unknown])[] = [
  ['1', { n: '1' }],
  [' -12 ', { n: '-12' }],
  ['0', { n: '0' }],
  ['123456789012345678', { n: '123456789012345678' }],
  ['12345678901234567890', '12345678901234567890'],
  ['12345678901234567890123456', '12345678901234567890123456'],
  ['007', '007'],
  ['-0', { n: '0' }],
  ['1E5', '1E5'],
  ['+4512345678', '+4512345678'],
  ['5%', '5%'],
  ['12-34', '12-34'],
  ['TRUE', true],
  ['false', false],
  ['#REF!', { e: '#REF!' }],
  ['2026-01-31', { d: '2026-01-31' }],
  ['2024-02-29', { d: '2024-02-29' }],
  ['2025-02-29', '2025-02-29'],
  ['2026-01-31 13:05', { d: '2026-01-31T13:05:00' }],
  ['2026-01-31T13:05:01.25', { d: '2026-01-31T13:05:01.25' }],
  ['2026-01-31T24:00:00', '2026-01-31T24:00:00'],
  ['2026-01-31T13:05:00Z', '2026-01-31T13:05:00Z'],
  ['31/01/2026', { d: '2026-01-31' }],
  ['1/31/2026 9:05', { d: '2026-01-31T09:05:00' }],
  ['01.02.2026', { d: '2026-02-01' }],
  ['1.2.2026', { d: '2026-02-01' }],
  ['31.02.2026', '31.02.2026'],
  ['32/13/2026', '32/13/2026'],
  ['  text ', '  text '],
  ['=1+1', '=1+1'],
]

test.each(values)('[ENG-5] the field %j is read as %j', async (field, read) => {
  expect((await readInMainThread(Buffer.from(`${field};x`))).rows[0]?.[0]).toEqual(read)
})

const marks: readonly (readonly [string, readonly string[], readonly unknown[], RegExp | null])[] = [
  ['points', ['1,234.50', '1,234', '0.5', '1.234'], ['1234.50', '1234', '0.5', '1.234'], /as in 1,234\.50/u],
  ['commas', ['1.234,50', '1.234', '0,5', '1,234'], ['1234.50', '1234', '0.5', '1.234'], /as in 1\.234,50/u],
  ['millions alone', ['1.234.567', '1.234'], ['1234567', '1234'], /1\.234,50/u],
  ['only points', ['10.50', '3'], ['10.50', '3'], null],
]

test.each(marks)('[ENG-5] the decimal mark is detected from the whole file: %s', async (_, fields, numbers, notice) => {
  const { rows, sheets } = await readInMainThread(Buffer.from(fields.map((field) => `${field};x`).join('\n')))
  expect(rows.map(([cell]) => cell)).toEqual(numbers.map((n) => ({ n })))
  if (notice === null) expect(sheets[0]?.notice).toBeNull()
  else expect(sheets[0]?.notice).toMatch(notice)
})

test('[ENG-5] ambiguous numbers stay text, with a notice', async () => {
  const ambiguous = await readInMainThread(Buffer.from('1.234;x\n12,345;x\n7;x'))
  expect(ambiguous.rows.map(([cell]) => cell)).toEqual(['1.234', '12,345', { n: '7' }])
  expect(ambiguous.sheets[0]?.notice).toMatch(/1\.234 can mean two things/u)
  const contradicting = await readInMainThread(Buffer.from('1.234,50;x\n1,234.50;x\n7;x'))
  expect(contradicting.rows.map(([cell]) => cell)).toEqual(['1.234,50', '1,234.50', { n: '7' }])
  expect(contradicting.sheets[0]?.notice).toMatch(/use two formats/u)
})

test('[ENG-5] quotation marks, line breaks and rows of different lengths are read according to RFC 4180', async () => {
  const { rows } = await readInMainThread(Buffer.from('a,b,c\r\n"x ""y""","1\r\n2"\r\n\r\n,,z\r\n'))
  expect(rows).toEqual([['a', 'b', 'c'], ['x "y"', '1\r\n2'], [], [null, null, 'z']])
})

const refused: readonly (readonly [string, Buffer, RegExp])[] = [
  ['a quotation mark that is not closed', Buffer.from('a,b\n"x,y\n1,2\n'), /quotation mark/u],
  ['a quotation mark in the middle', Buffer.from('a,b\nx"y,z\n'), /quotation mark in line 2/u],
  ['bytes that are not text', Buffer.from('a,b\n\0\0\0,x\n'), /not a text file/u],
  ['half a character', Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00]), /not valid text/u],
  ['a text that is too long', Buffer.from(`a,b\n${'x'.repeat(32_768)},1\n`), /CSV!A2 is longer/u],
  ['too many columns', Buffer.from(`a\n${',x'.repeat(501)}\n`), /CSV!SG2.*500/u],
  [
    'too many columns below a quoted line break',
    Buffer.from(`a\r\n"x\r\ny"\r\n${','.repeat(500)}"x"\r\n`),
    /CSV!SG3.*500/u,
  ],
  ['too many separators in one row', Buffer.from(`a\n${','.repeat(19 * 1_048_576)}x\n`), /CSV!.*500 columns/u],
  ['a row without an end', Buffer.from(`a,b\n${'x'.repeat(5_000_000)}`), /is too long/u],
]

test.each(refused)(
  '[ENG-5] %s is refused with a message that names the problem and the solution',
  async (_, bytes, sentence) => {
    const refusal = await readInMainThread(bytes).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ name: 'Unreadable', message: expect.stringMatching(sentence) as unknown })
  },
)
