/** Malformed files of every known kind, generated from a seed, so that a failing file is reproducible. */
import { type RawWorkbook, workbookOf, workbookParts, zipOf, type RawZipEntry } from './raw-workbook.ts'

export interface MalformedFile {
  readonly kind: string
  readonly bytes: Buffer
}

/** Returns an integer from 0 to `below`, exclusive. */
type RandomInteger = (below: number) => number

export function malformedFile(seed: number): MalformedFile {
  const dice = diceOf(seed)
  const kinds = Object.entries(makers)
  const [kind, make] = kinds[seed % kinds.length] as (typeof kinds)[number]
  return { kind, bytes: make(dice) }
}

const makers: Readonly<Record<string, (dice: RandomInteger) => Buffer>> = {
  'a workbook cut off': (dice) => cut(goodWorkbook(dice), dice),
  'bits of the archive flipped': (dice) => flipped(goodWorkbook(dice), 1 + dice(8), dice),
  'the end of the archive flipped': (dice) => flippedDirectory(goodWorkbook(dice), dice),
  'bits of a part flipped': (dice) => withPart(dice, (bytes) => flipped(bytes, 1 + dice(20), dice)),
  'a part cut off': (dice) => withPart(dice, (bytes) => cut(bytes, dice)),
  'a part of noise': (dice) => withPart(dice, () => noise(dice(5_000), dice)),
  'a missing part': (dice) => zipOf(without(goodParts(dice), dice)),
  'a part that comes twice': (dice) => zipOf([...goodParts(dice), pick(goodParts(dice), dice)]),
  'a path out of the archive': (dice) =>
    renamed(dice, pick(['../../x', '/etc/passwd', 'C:\\x', '..\\x', 'a\0b', ''], dice)),
  'a lying archive': (dice) => withFalseHeader(dice),
  'a bomb': (dice) => withPart(dice, (bytes) => Buffer.concat([bytes, Buffer.alloc(3_000_000 + dice(2_000_000), 32)])),
  'an entity': (dice) => withPart(dice, (bytes) => Buffer.concat([Buffer.from(pick(documentTypes, dice)), bytes])),
  'deep nesting': (dice) => workbookOf({ rows: '<row>'.repeat(50 + dice(5_000)) }),
  'a wrong cell': (dice) => workbookOf({ rows: `<row r="${pick(rowNumbers, dice)}">${wrongCells(dice)}</row>` }),
  'wrong styles': (dice) =>
    workbookOf({ ...good(dice), numFmts: pick(wrongFormats, dice), xfs: '<xf numFmtId="NaN"/><xf numFmtId="-1"/>' }),
  'a strange name of a sheet': (dice) => workbookOf({ ...good(dice), sheetName: pick(strangeNames, dice) }),
  'a text file of noise': (dice) => noise(1 + dice(20_000), dice),
  'a text file cut off': (dice) => cut(goodText(dice), dice),
  'a text file with flipped bits': (dice) => flipped(goodText(dice), 1 + dice(30), dice),
  'a text file in UTF-16 with an odd byte': (dice) =>
    cut(Buffer.from(`\uFEFF${goodText(dice).toString()}`, 'utf16le'), dice),
  'a text file with wrong quotation marks': (dice) =>
    Buffer.from(
      goodText(dice)
        .toString()
        .replaceAll('a', () => (dice(4) === 0 ? '"' : 'a')),
    ),
  'a text file of strange letters': (dice) =>
    Buffer.from(Array.from({ length: dice(2_000) }, () => pick(strangeLetters, dice)).join('')),
}

const documentTypes = [
  '<!DOCTYPE x SYSTEM "http://127.0.0.1/x">',
  '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>',
  '<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>',
  '<!doctype html>',
]
const rowNumbers = ['1', '0', '-1', '1048576', '1048577', '1e3', 'x', '', '999999999999999999999']
const addresses = ['A1', 'XFD1', 'XFE1', 'ZZZZZ1', 'A0', '1A', 'a1', '', 'A1:B2', 'SF1', 'A1048576', '$A$1']
const types = ['n', 's', 'str', 'inlineStr', 'b', 'e', 'd', 'zz', '', '__proto__']
const cellValues = [
  '1',
  '-1',
  '1e400',
  '1e-400',
  'NaN',
  'INF',
  '0x10',
  '1,5',
  '9'.repeat(500),
  '_x0000_',
  '_xD83D_',
  '2026-13-45',
  '#REF!',
  '__proto__',
]
const strangeNames = ['__proto__', 'constructor', '', 'x'.repeat(500), '_x0000_', '../../x', '&lt;b&gt;', '\u202Eexe']
const wrongFormats = [
  '<numFmt numFmtId="164"/>',
  '<numFmt numFmtId="x" formatCode="["/>',
  `<numFmt formatCode="${'[h'.repeat(2_000)}"/>`,
  '<numFmt>',
]
const strangeLetters = [
  'a',
  ',',
  ';',
  '\t',
  '\n',
  '\r',
  '"',
  '\0',
  '\uD800',
  '\uFFFF',
  '1',
  '.',
  ',',
  '-',
  '=',
  '💣',
  '\u2028',
  ' ',
]

function wrongCells(dice: RandomInteger): string {
  const cell = () =>
    `<c r="${pick(addresses, dice)}" t="${pick(types, dice)}" s="${pick(cellValues, dice)}"><v>${pick(cellValues, dice)}</v></c>`
  return Array.from({ length: 1 + dice(3) }, cell).join('')
}

function good(dice: RandomInteger): RawWorkbook {
  const cell = () =>
    `<c t="s"><v>${dice(3)}</v></c><c><v>${dice(1_000_000)}.${dice(100)}</v></c><c s="1"><v>${40_000 + dice(9_999)}</v></c>`
  const rows = Array.from({ length: 1 + dice(60) }, (_, at) => `<row r="${at + 1}">${cell()}</row>`).join('')
  return {
    rows,
    strings: '<si><t>one</t></si><si><t>zwölf</t></si><si><t>三</t></si>',
    xfs: '<xf numFmtId="0"/><xf numFmtId="14"/>',
  }
}

function goodParts(dice: RandomInteger): RawZipEntry[] {
  return workbookParts(good(dice))
}

function goodWorkbook(dice: RandomInteger): Buffer {
  return zipOf(goodParts(dice))
}

function goodText(dice: RandomInteger): Buffer {
  const line = () => `"a ${dice(1_000)}",${dice(1_000)}.${dice(100)},2026-01-${10 + dice(20)},"a ""quoted""\na"`
  return Buffer.from(['name,amount,day,note', ...Array.from({ length: 1 + dice(60) }, line)].join('\r\n'))
}

function withPart(dice: RandomInteger, change: (bytes: Buffer) => Buffer): Buffer {
  const parts = goodParts(dice)
  const at = 1 + dice(parts.length - 1)
  return zipOf(
    parts.map((part, index) => (index === at ? { ...part, content: change(Buffer.from(part.content)) } : part)),
  )
}

function without(parts: readonly RawZipEntry[], dice: RandomInteger): RawZipEntry[] {
  const at = 1 + dice(parts.length - 1)
  return parts.filter((_, index) => index !== at)
}

function renamed(dice: RandomInteger, name: string): Buffer {
  return zipOf([...goodParts(dice), { name, content: 'x' }])
}

function withFalseHeader(dice: RandomInteger): Buffer {
  const parts = goodParts(dice)
  const at = dice(parts.length)
  const falseHeader = pick<NonNullable<RawZipEntry['falseHeader']>>(
    [
      { size: dice(4_000_000_000) },
      { sum: 7 },
      { offset: dice(2_000) },
      { flags: 1 },
      { flags: 0x40 },
      { method: 0 },
      { method: 12 },
    ],
    dice,
  )
  return zipOf(parts.map((part, index) => (index === at ? { ...part, falseHeader } : part)))
}

function cut(bytes: Buffer, dice: RandomInteger): Buffer {
  return bytes.subarray(0, dice(bytes.length))
}

function flipped(bytes: Buffer, bits: number, dice: RandomInteger): Buffer {
  const copy = Buffer.from(bytes)
  for (let bit = 0; bit < bits && copy.length > 0; bit++) {
    const at = dice(copy.length)
    copy[at] = (copy[at] ?? 0) ^ (1 << dice(8))
  }
  return copy
}

/** Flips bits in the central directory. */
function flippedDirectory(bytes: Buffer, dice: RandomInteger): Buffer {
  const start = bytes.readUInt32LE(bytes.length - 6)
  return Buffer.concat([bytes.subarray(0, start), flipped(bytes.subarray(start), 1 + dice(4), dice)])
}

function noise(length: number, dice: RandomInteger): Buffer {
  return Buffer.from(Array.from({ length }, () => dice(256)))
}

function pick<T>(list: readonly T[], dice: RandomInteger): T {
  return list[dice(list.length)] as T
}

/** Mulberry32: the same numbers for the same seed on every machine. */
function diceOf(seed: number): RandomInteger {
  let state = (seed + 1) * 0x9e3779b9
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below)
  }
}
