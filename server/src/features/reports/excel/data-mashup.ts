/**
 * The queries of a workbook as Power Query stores them: [MS-QDEFF],
 * https://learn.microsoft.com/openspecs/office_file_formats/ms-qdeff
 */
import { createZip } from '../../../kernel/pages/zip.ts'
import { mName } from '../m-language.ts'

export interface WorkbookQuery {
  /** At most 80 characters, without full stops, quotes and control characters. */
  readonly name: string
  /** The expression in M. */
  readonly expression: string
  /** The name of the sheet's table that it fills. */
  readonly table: string
  /** The columns of the result, in order. */
  readonly columns: readonly string[]
}

export const mashupNamespace = 'http://schemas.microsoft.com/DataMashup'

/** The XML part, in UTF-16 as Excel writes it. */
export function dataMashupPart(queries: readonly WorkbookQuery[]): Buffer {
  const content = dataMashup(queries).toString('base64')
  const xml = `<?xml version="1.0" encoding="utf-16"?><DataMashup xmlns="${mashupNamespace}">${content}</DataMashup>`
  return Buffer.from(`\uFEFF${xml}`, 'utf16le')
}

/**
 * Version, package, permissions, metadata and permission bindings. The bindings are a checksum that only the user's
 * Windows account can compute. Where they do not match, Excel replaces the permissions by its defaults, which are these.
 */
function dataMashup(queries: readonly WorkbookQuery[]): Buffer {
  const bindings = Buffer.alloc(0)
  return Buffer.concat([
    int32(0),
    ...[packageParts(queries), permissions, metadata(queries), bindings].flatMap((field) => [
      int32(field.length),
      field,
    ]),
  ])
}

function packageParts(queries: readonly WorkbookQuery[]): Buffer {
  const members = queries.map(({ name, expression }) => `shared ${mName(name)} =\n${expression};\n`)
  return createZip([
    {
      name: 'Config/Package.xml',
      content: xml(
        `<Package ${schema}><Version>2.99.202.0</Version><MinVersion>2.21.0.0</MinVersion><Culture>en-US</Culture></Package>`,
      ),
    },
    {
      name: '[Content_Types].xml',
      content: xml(
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="text/xml"/><Default Extension="m" ContentType="application/x-ms-m"/></Types>',
      ),
    },
    { name: 'Formulas/Section1.m', content: Buffer.from(['section Section1;\n', ...members].join('\n')) },
  ])
}

const schema = 'xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'

const permissions = xml(
  `<PermissionList ${schema}><CanEvaluateFuturePackages>false</CanEvaluateFuturePackages><FirewallEnabled>true</FirewallEnabled></PermissionList>`,
)

/** An entry is a type letter and a value: `l` for a number, `s` for a text. */
function metadata(queries: readonly WorkbookQuery[]): Buffer {
  const items = queries.map(({ name, table, columns }) => {
    const entries = [
      ['IsPrivate', 'l0'],
      ['FillEnabled', 'l1'],
      ['FillObjectType', 'sTable'],
      ['FillToDataModelEnabled', 'l0'],
      ['BufferNextRefresh', 'l1'],
      ['ResultType', 'sTable'],
      ['NameUpdatedAfterFill', 'l0'],
      ['NavigationStepName', 'sNavigation'],
      ['FillTarget', `s${table}`],
      ['FilledCompleteResultToWorksheet', 'l0'],
      ['AddedToDataModel', 'l0'],
      ['FillColumnNames', `s${JSON.stringify(columns)}`],
    ]
    const path = `Section1/${encodeURIComponent(name)}`
    return item(
      'Formula',
      path,
      entries.map(([type, value = '']) => `<Entry Type="${type}" Value="${attribute(value)}"/>`).join(''),
    )
  })
  const file = xml(
    `<LocalPackageMetadataFile ${schema}><Items>${[item('AllFormulas', '', ''), ...items].join('')}</Items></LocalPackageMetadataFile>`,
  )
  // An empty package of contents follows.
  const contents = createZip([])
  return Buffer.concat([int32(0), int32(file.length), file, int32(contents.length), contents])
}

function item(type: 'AllFormulas' | 'Formula', path: string, entries: string): string {
  return `<Item><ItemLocation><ItemType>${type}</ItemType><ItemPath>${attribute(path)}</ItemPath></ItemLocation><StableEntries>${entries}</StableEntries></Item>`
}

function attribute(value: string): string {
  return value.replaceAll(/[&<>"]/gu, (found) => `&#${found.charCodeAt(0)};`)
}

function xml(content: string): Buffer {
  return Buffer.from(`\uFEFF<?xml version="1.0" encoding="utf-8"?>${content}`)
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes
}
