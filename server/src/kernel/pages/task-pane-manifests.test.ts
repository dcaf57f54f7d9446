import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { SaxesParser } from 'saxes'
import { describe, expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import * as z from 'zod'
import { createManifests } from './task-pane-manifests.ts'

const repository = resolve(import.meta.dirname, '../../../..')
const addin = join(repository, 'addin')
const origin = 'https://tributary.example'
const manifests = createManifests(addin, origin)

interface ManifestElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: ManifestElement[]
  text: string
}

function parse(xml: string): ManifestElement {
  const root: ManifestElement = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes }) => {
    const element: ManifestElement = { name, attributes, children: [], text: '' }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('text', (text) => {
    const element = open.at(-1)
    if (element !== undefined) element.text += text
  })
  parser.on('closetag', () => void open.pop())
  parser.on('error', (error) => {
    throw error
  })
  parser.write(xml).close()
  return root.children[0] ?? root
}

function withDescendants(element: ManifestElement): readonly ManifestElement[] {
  return [element, ...element.children.flatMap(withDescendants)]
}

/** The permitted children of each element, in the order that the schemas and Excel require. */
const sequences: Readonly<Record<string, readonly string[]>> = {
  OfficeApp:
    'Id AlternateId Version ProviderName DefaultLocale DisplayName Description IconUrl HighResolutionIconUrl SupportUrl AppDomains Hosts Requirements DefaultSettings Permissions Dictionary VersionOverrides'.split(
      ' ',
    ),
  AppDomains: ['AppDomain'],
  Requirements: ['Sets', 'Methods'],
  Sets: ['Set'],
  DefaultSettings: ['SourceLocation'],
  VersionOverrides: ['Description', 'Requirements', 'Hosts', 'Resources', 'WebApplicationInfo', 'EquivalentAddins'],
  Hosts: ['Host'],
  Host: ['AllFormFactors', 'DesktopFormFactor'],
  DesktopFormFactor: ['GetStarted', 'FunctionFile', 'ExtensionPoint'],
  GetStarted: ['Title', 'Description', 'LearnMoreUrl'],
  ExtensionPoint: ['OfficeTab', 'CustomTab'],
  OfficeTab: ['Group'],
  Group: ['Label', 'Icon', 'Control'],
  Control: ['Label', 'Supertip', 'Icon', 'Action'],
  Supertip: ['Title', 'Description'],
  Icon: ['bt:Image'],
  Action: ['TaskpaneId', 'SourceLocation', 'Title'],
  Resources: ['bt:Images', 'bt:Urls', 'bt:ShortStrings', 'bt:LongStrings'],
  'bt:Images': ['bt:Image'],
  'bt:Urls': ['bt:Url'],
  'bt:ShortStrings': ['bt:String'],
  'bt:LongStrings': ['bt:String'],
}

describe('the add-in only manifest', () => {
  const app = parse(manifests.xml)
  const elements = withDescendants(app)
  const valueOf = (name: string) => app.children.find((child) => child.name === name)?.text

  test('has its elements in the order of the schema', () => {
    for (const { name, children } of elements.filter((element) => element.children.length > 0)) {
      const positions = children.map((child) => (sequences[name] ?? []).indexOf(child.name))
      expect([name, positions.includes(-1), positions]).toEqual([name, false, positions.toSorted((a, b) => a - b)])
    }
  })

  test('has all required values, in their format and within their maximum length', () => {
    const required = [
      'Id',
      'Version',
      'ProviderName',
      'DefaultLocale',
      'DisplayName',
      'Description',
      'DefaultSettings',
      'Permissions',
    ]
    expect(app.children.map(({ name }) => name)).toEqual(expect.arrayContaining(required))
    expect(app.attributes).toMatchObject({
      'xsi:type': 'TaskPaneApp',
      xmlns: 'http://schemas.microsoft.com/office/appforoffice/1.1',
    })
    expect(valueOf('Id')).toMatch(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u)
    expect(valueOf('Version')).toMatch(/^\d{1,5}(?:\.\d{1,5}){0,3}$/u)
    expect(valueOf('Permissions')).toBe('ReadWriteDocument')
    for (const { name, attributes } of elements)
      expect([name, (attributes['DefaultValue'] ?? '').length <= (name.startsWith('bt:String') ? 125 : 250)]).toEqual([
        name,
        true,
      ])
    for (const { attributes } of elements.filter(({ name }) => name === 'Group' || name === 'Control'))
      expect(attributes['id']).toMatch(/^[\w.]{1,125}$/u)
  })

  test('defines each resource once, and references exactly those', () => {
    const ids = elements
      .filter(({ name }) => name.startsWith('bt:'))
      .flatMap(({ attributes }) => attributes['id'] ?? [])
    expect(new Set(ids).size).toBe(ids.length)
    const named = elements.flatMap(({ attributes }) => attributes['resid'] ?? [])
    expect(named.filter((id) => !ids.includes(id))).toEqual([])
    expect(ids.filter((id) => !named.includes(id))).toEqual([])
  })

  test('contains only addresses of this installation that exist', () => {
    const addresses = elements
      .flatMap(({ attributes }) => attributes['DefaultValue'] ?? [])
      .filter((value) => value.includes('://'))
    expect(new Set(addresses)).toEqual(
      new Set([
        `${origin}/addin/`,
        `${origin}/excel/loads`,
        ...[16, 32, 64, 80].map((size) => `${origin}/addin/icons/icon-${size}.png`),
      ]),
    )
  })
})

describe('the unified manifest', () => {
  /** The schema that Microsoft publishes, reduced to the properties in use, because zod cannot read the others. */
  const schemaPath = 'node_modules/@microsoft/app-manifest/build/json-schemas/teams/v1.20/MicrosoftTeams.schema.json'
  const published = JSON.parse(readFileSync(join(repository, schemaPath), 'utf8')) as {
    properties: Record<string, object>
  }
  const manifest = JSON.parse(manifests.json) as Record<string, unknown>
  const used = Object.entries(published.properties).filter(([name]) => name in manifest)
  const Schema = z.fromJSONSchema({ ...published, properties: Object.fromEntries(used) } as Parameters<
    typeof z.fromJSONSchema
  >[0])

  test('conforms to the published schema, which rejects invalid manifests', () => {
    expect(Schema.safeParse(manifest).error?.issues).toBeUndefined()
    for (const wrong of [{ surplus: 1 }, { id: 'no-id' }, { icons: {} }, { extensions: [{ ribbons: [{}] }] }])
      expect([wrong, Schema.safeParse({ ...manifest, ...wrong }).success]).toEqual([wrong, false])
  })

  test('has the id, version and requirement sets of the add-in only manifest', () => {
    expect(manifest['id']).toBe(/<Id>(.*)<\/Id>/u.exec(manifests.xml)?.[1])
    expect(manifest['version']).toBe(/<Version>(.*)<\/Version>/u.exec(manifests.xml)?.[1])
    const setsOf = (pattern: RegExp, text: string) =>
      [...text.matchAll(pattern)].map(([, name, version]) => `${name} ${version}`)
    expect(setsOf(/"name": "(\w+Api)", "minVersion": "([\d.]+)"/gu, manifests.json)).toEqual(
      setsOf(/Set Name="(\w+)" MinVersion="([\d.]+)"/gu, manifests.xml),
    )
  })

  test('is in a ZIP file with its two icons, which other programs can open', async () => {
    const files = await unzip(manifests.zip)
    expect([...files.keys()]).toEqual(['manifest.json', 'color.png', 'outline.png'])
    expect(files.get('manifest.json')?.toString()).toBe(manifests.json)
    const sizeOf = (name: string) => files.get(name)?.readUInt32BE(16)
    expect([sizeOf('color.png'), sizeOf('outline.png')]).toEqual([192, 32])
  })
})

test('the id of an installation is stable and unique', () => {
  expect(manifests.xml).toContain('<Id>cbe61aef-ce02-5214-9365-d71c81071eef</Id>')
  expect(createManifests(addin, origin)).toEqual(manifests)
  expect(createManifests(addin, 'https://other.example').xml).not.toContain('cbe61aef')
})

async function unzip(zip: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  const opened = await fromBufferPromise(zip, { lazyEntries: true })
  for await (const entry of opened.eachEntry()) {
    const stream = await opened.openReadStreamPromise(entry)
    files.set(entry.fileName, Buffer.concat((await stream.toArray()) as Buffer[]))
  }
  return files
}
