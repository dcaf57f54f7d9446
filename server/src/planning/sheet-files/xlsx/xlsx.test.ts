/** Workbooks are read exactly: digits, dates, and the address of every cell that cannot be read. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import writeExcelFile from 'write-excel-file/node'
import {
  type RawWorkbook,
  workbookOf,
  workbookParts,
  zipOf,
  type RawZipEntry,
} from '@tributary/testing/server/excel/raw-workbook.ts'
import { plainNumber, typedNumber } from '../exact-number.ts'
import { readBytes, readInMainThread } from '@tributary/testing/server/excel/read-bytes.ts'

const numbers: readonly (readonly [string, string])[] = [
  ['1', '1'],
  ['-0', '0'],
  ['0.1', '0.1'],
  ['1E-3', '0.001'],
  ['-1.5E+3', '-1500'],
  ['1.2345678901234567E+20', '123456789012345670000'],
  ['4.1100000000000003', '4.11'],
  ['1234.5599999999999', '1234.56'],
  ['622901.6899999999', '622901.69'],
  ['1.1000000000000001', '1.1'],
  ['-0.30000000000000004', '-0.30000000000000004'],
  ['0.30000000000000004', '0.30000000000000004'],
  ['12345678901234567', '12345678901234567'],
  ['1234567890123456789012345678', '1234567890123456789012345678'],
  ['0.1234567890123456789012345678', '0.1234567890123456789012345678'],
  ['-0.05', '-0.05'],
  ['007.10', '7.10'],
  ['.5', '0.5'],
  ['-99999999999999.99', '-99999999999999.99'],
  ['1E-300', `0.${'0'.repeat(299)}1`],
]

test.each(numbers)('[ENG-5] the number %s of a sheet is read as %s, exactly', async (written, read) => {
  expect(await firstCell(`<c r="A1"><v>${written}</v></c>`)).toEqual({ n: read })
})

test('[ENG-5] an amount written with sixteen digits, as Python writes workbooks, is read as it was entered', () => {
  fc.assert(
    fc.property(fc.integer({ min: -(10 ** 13), max: 10 ** 13 }), fc.integer({ min: 0, max: 6 }), (units, scale) => {
      const typed = Number(`${units}e-${scale}`)
      const plain = (text: string | null) => (text?.includes('.') === true ? text.replace(/\.?0+$/u, '') : text)
      for (const digits of [16, 17])
        expect(plain(typedNumber(typed.toPrecision(digits)))).toBe(plain(plainNumber(String(typed))))
    }),
    { numRuns: 5_000 },
  )
})

const dates: readonly (readonly [string, string, boolean, unknown])[] = [
  ['yyyy-mm-dd', '1', false, { d: '1900-01-01' }],
  ['yyyy-mm-dd', '59', false, { d: '1900-02-28' }],
  ['yyyy-mm-dd', '60', false, '1900-02-29'],
  ['yyyy-mm-dd', '61', false, { d: '1900-03-01' }],
  ['d. mmmm yyyy', '45351', false, { d: '2024-02-29' }],
  ['yyyy-mm-dd', '2958465', false, { d: '9999-12-31' }],
  ['yyyy-mm-dd', '2958466', false, { n: '2958466' }],
  ['yyyy-mm-dd', '-1', false, { n: '-1' }],
  ['dd/mm/yyyy', '0', true, { d: '1904-01-01' }],
  ['dd/mm/yyyy', '43889', true, { d: '2024-02-29' }],
  ['yyyy-mm-dd hh:mm', '46022.545138888891', false, { d: '2025-12-31T13:05:00' }],
  ['yyyy-mm-dd hh:mm', '46022', false, { d: '2025-12-31T00:00:00' }],
  ['yyyy-mm-dd', '46022.5', false, { d: '2025-12-31T12:00:00' }],
  ['yyyy-mm-dd hh:mm:ss.000', '46022.000000011574', false, { d: '2025-12-31T00:00:00.001' }],
  ['h:mm AM/PM', '0.5', false, '12:00:00'],
  ['[h]:mm', '1.5', false, { n: '1.5' }],
  ['[$-409]d\\-mmm\\-yy;@', '46022', false, { d: '2025-12-31' }],
  ['mmm', '46022', false, { d: '2025-12-31' }],
  ['mm:ss', '0.5', false, '12:00:00'],
  ['0.00E+00', '46022', false, { n: '46022' }],
  ['#,##0.00 "dkk per day"', '46022', false, { n: '46022' }],
  ['[Red]-#,##0\\ \\d', '46022', false, { n: '46022' }],
  ['General', '46022', false, { n: '46022' }],
  ['_-* #,##0.00\\ _k_r_._-', '46022', false, { n: '46022' }],
]

test.each(dates)(
  '[ENG-5] in the format %s the number %s (counted from 1904: %s) is read as it is shown',
  async (code, serial, is1904, read) => {
    const styled = {
      numFmts: `<numFmt numFmtId="164" formatCode="${xml(code)}"/>`,
      xfs: '<xf numFmtId="0"/><xf numFmtId="164"/>',
      is1904,
    }
    expect(await firstCell(`<c r="A1" s="1"><v>${serial}</v></c>`, styled)).toEqual(read)
  },
)

test('[ENG-5] built-in number formats are known: dates, timestamps, times', async () => {
  const ids = [14, 17, 22, 18, 21, 45, 46, 27, 36, 50, 58, 0, 2, 49]
  const xfs = ids.map((id) => `<xf numFmtId="${id}"/>`).join('')
  const cells = ids.map((_, style) => `<c s="${style}"><v>46022.25</v></c>`).join('')
  const { rows } = await readInMainThread(workbookOf({ rows: `<row r="1">${cells}</row>`, xfs }))
  const kinds = rows[0]?.map((cell) => Object.keys(cell as object)[0]).join('')
  expect(kinds).toBe('ddddddnddddnnn')
})

test('[ENG-5] texts, booleans, errors and formula results are read with their types', async () => {
  const strings =
    '<si><t>Grüße 🏝 漢字</t></si><si><r><t>Rich </t></r><r><t>text</t></r><rPh><t>reading</t></rPh></si><si><t xml:space="preserve"> _x0041_ </t></si>'
  const cells = [
    '<c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c>',
    '<c t="inlineStr"><is><t>a &amp; b</t></is></c><c t="b"><v>1</v></c><c t="b"><v>0</v></c><c t="e"><v>#REF!</v></c>',
    '<c><f>A1+1</f><v>1.5</v></c><c t="str"><f>A1</f><v>x</v></c><c t="d"><v>2026-02-28</v></c><c s="0"/><c><v>7</v></c>',
  ]
  const { rows } = await readInMainThread(workbookOf({ rows: `<row r="1">${cells.join('')}</row>`, strings }))
  const read = [
    'Grüße 🏝 漢字',
    'Rich text',
    ' A ',
    'a & b',
    true,
    false,
    { e: '#REF!' },
    { n: '1.5' },
    'x',
    { d: '2026-02-28' },
    null,
    { n: '7' },
  ]
  expect(rows).toEqual([read])
})

test('[ENG-5] a file written by a library is read back unchanged, in the server’s process', async () => {
  const header = ['Account', 'Amount', 'Day', 'Paid'].map((value) => ({ value }))
  const row = (account: string, amount: number, day: string, isPaid: boolean) => [
    { value: account },
    { value: amount, type: Number },
    { value: new Date(`${day}T00:00:00Z`), type: Date, format: 'yyyy-mm-dd' },
    { value: isPaid, type: Boolean },
  ]
  const book = writeExcelFile([
    header,
    row('4000 Søby <Ltd> "x"', -1234.56, '2024-02-29', true),
    row('ﬁ ﷽ 👩‍👩‍👧', 0.1 + 0.2, '1999-12-31', false),
  ])
  const { sheets, rows } = await readBytes(await book.toBuffer())
  expect(sheets).toMatchObject([{ name: 'Sheet1', rows: 3, columns: 4, notice: null }])
  expect(rows.slice(1)).toEqual([
    ['4000 Søby <Ltd> "x"', { n: '-1234.56' }, { d: '2024-02-29' }, true],
    ['ﬁ ﷽ 👩‍👩‍👧', { n: '0.30000000000000004' }, { d: '1999-12-31' }, false],
  ])
})

test('[ENG-5] rows and cells keep their positions between empty ones, also across chunks', async () => {
  const { sheets, rows } = await readInMainThread(
    workbookOf({ rows: '<row r="3"><c r="C3"><v>1</v></c></row><row r="2500"><c r="B2500"><v>2</v></c></row>' }),
  )
  expect(rows.length).toBe(2_500)
  expect([rows[2], rows[2_499], rows[1_000]]).toEqual([[null, null, { n: '1' }], [null, { n: '2' }], []])
  expect(sheets).toMatchObject([
    { rows: 2_500, columns: 3, firstRows: expect.objectContaining({ length: 20 }) as unknown },
  ])
})

test('[ENG-5] hidden sheets, merged cells and formulas without a result are reported in notices', async () => {
  const { sheets } = await readInMainThread(
    workbookOf({
      rows: '<row r="1"><c r="A1"><f>1+1</f></c></row>',
      after: '<mergeCells><mergeCell ref="A1:B2"/></mergeCells>',
      sheetAttributes: 'state="hidden"',
    }),
  )
  expect(sheets[0]?.notice).toBe(
    'It is hidden in the workbook. It has merged cells: only the first cell of each holds the value. Formulas without a result were read as empty (1). Open the file in Excel and save it, so that they are calculated.',
  )
})

const refused: readonly (readonly [string, () => Buffer, RegExp])[] = [
  ['an empty file', () => Buffer.alloc(0), /is empty/u],
  ['an old workbook', () => Buffer.from('d0cf11e0a1b11ae1', 'hex'), /\.xls\).*Save As/u],
  ['a PDF', () => Buffer.from('%PDF-1.7'), /PDF/u],
  ['a web page', () => Buffer.from('<html><table>'), /web page/u],
  ['a text document in a ZIP', () => zipOf([{ name: 'word/document.xml', content: '<x/>' }]), /not an Excel workbook/u],
  [
    'a binary workbook',
    () => changed({ '_rels/.rels': (text) => text.replace('workbook.xml', 'workbook.bin') }),
    /xlsb.*Save As/u,
  ],
  ['an encrypted part', () => zipOf([{ name: 'a', content: 'a', falseHeader: { flags: 1 } }]), /password/u],
  [
    'a document type',
    () => changed({ 'xl/workbook.xml': (text) => `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${text}` }),
    /document type/u,
  ],
  [
    'an undefined entity',
    () => changed({ 'xl/sharedStrings.xml': (text) => text.replace('</sst>', '<si><t>&e;</t></si></sst>') }),
    /not XML/u,
  ],
  ['a bomb', () => workbookOf({ rows: ' '.repeat(5_000_000) }), /too large/u],
  ['a wrong checksum', () => lying('xl/styles.xml', { sum: 1 }), /checksum/u],
  ['a false size', () => lying('xl/styles.xml', { size: 4_000_000_000 }), /checksum/u],
  ['parts that overlap', () => lying('xl/styles.xml', { offset: 0 }), /overlap/u],
  [
    'a path out of the archive',
    () => zipOf([...workbookParts({ rows: '' }), { name: '../../etc/passwd', content: 'x' }]),
    /damaged/u,
  ],
  [
    'a part that appears twice',
    () => zipOf([...workbookParts({ rows: '' }), { name: 'XL/workbook.xml', content: 'x' }]),
    /twice/u,
  ],
  [
    'too many parts',
    () => zipOf(Array.from({ length: 2_001 }, (_, at) => ({ name: `${at}`, content: '' }))),
    /2,000 parts/u,
  ],
  [
    'a missing sheet',
    () => zipOf(workbookParts({ rows: '' }).filter(({ name }) => !name.endsWith('sheet1.xml'))),
    /missing/u,
  ],
  ['a row out of range', () => workbookOf({ rows: '<row r="1048577"><c><v>1</v></c></row>' }), /out of range/u],
  ['a column out of range', () => workbookOf({ rows: '<row r="1"><c r="XFE1"><v>1</v></c></row>' }), /out of range/u],
  [
    'more columns than can be loaded',
    () => workbookOf({ rows: '<row r="7"><c r="SG7"><v>1</v></c></row>' }),
    /Sheet1!SG7.*500/u,
  ],
  [
    'a cell whose address is in another row',
    () => workbookOf({ rows: '<row r="1"><c r="A2"><v>1</v></c></row>' }),
    /invalid address/u,
  ],
  [
    'a cell that appears twice',
    () => workbookOf({ rows: '<row r="1"><c r="A1"><v>1</v></c><c r="A1"><v>2</v></c></row>' }),
    /Sheet1!A1 appears twice/u,
  ],
  [
    'rows out of order',
    () => workbookOf({ rows: '<row r="2"><c><v>1</v></c></row><row r="1"><c><v>1</v></c></row>' }),
    /out of order/u,
  ],
  [
    'letters for a number',
    () => workbookOf({ rows: '<row r="1"><c r="A1"><v>1O</v></c></row>' }),
    /A1 must be a number/u,
  ],
  ['a missing text', () => workbookOf({ rows: '<row r="1"><c t="s"><v>5</v></c></row>' }), /missing text/u],
  ['a NUL', () => workbookOf({ rows: '<row r="1"><c t="str"><v>_x0000_</v></c></row>' }), /Sheet1!A1.*NUL/u],
  [
    'half a character',
    () => workbookOf({ rows: '<row r="1"><c t="str"><v>_xD800_</v></c></row>' }),
    /Sheet1!A1.*half a character/u,
  ],
  ['deep nesting', () => workbookOf({ rows: '<a>'.repeat(200) + '</a>'.repeat(200) }), /nested too deeply/u],
  ['a short file that becomes a long one', amplified, /too much/u],
]

test.each(refused)(
  '[ENG-5] %s is refused with a message that names the problem and the solution',
  async (_, bytes, sentence) => {
    const refusal = await readInMainThread(bytes()).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ name: 'Unreadable', message: expect.stringMatching(sentence) as unknown })
  },
)

test('[ENG-5] keys with a special meaning in JavaScript are treated as plain names', async () => {
  const cells = ['__proto__', 'constructor', 'toString'].map((text) => `<c t="str"><v>${text}</v></c>`).join('')
  const { sheets, rows } = await readInMainThread(
    workbookOf({ rows: `<row r="1" __proto__="x">${cells}</row>`, sheetName: '__proto__' }),
  )
  expect([sheets[0]?.name, rows]).toEqual(['__proto__', [['__proto__', 'constructor', 'toString']]])
  expect(({} as Record<string, unknown>)['r']).toBeUndefined()
})

async function firstCell(cell: string, styled: Omit<RawWorkbook, 'rows'> = {}): Promise<unknown> {
  return (await readInMainThread(workbookOf({ ...styled, rows: `<row r="1">${cell}</row>` }))).rows[0]?.[0]
}

function changed(changes: Readonly<Record<string, (text: string) => string>>): Buffer {
  return zipOf(
    workbookParts({ rows: '' }).map((part) => ({
      ...part,
      content: changes[part.name]?.(String(part.content)) ?? part.content,
    })),
  )
}

function lying(name: string, lies: NonNullable<RawZipEntry['falseHeader']>): Buffer {
  return zipOf(workbookParts({ rows: '' }).map((part) => (part.name === name ? { ...part, falseHeader: lies } : part)))
}

/** One long text that every cell refers to. */
function amplified(): Buffer {
  const cells = '<c t="s"><v>0</v></c>'.repeat(400)
  const rows = Array.from({ length: 30 }, (_, at) => `<row r="${at + 1}">${cells}</row>`).join('')
  return workbookOf({ rows, strings: `<si><t>${'x'.repeat(32_000)}</t></si>` })
}

function xml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
}
