import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { SaxesParser } from 'saxes'
import { describe, expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import * as z from 'zod'
import { makeManifests } from './task-pane-manifests.ts'

const root = resolve(import.meta.dirname, '../../../..')
const addin = join(root, 'addin')
const origin = 'https://tributary.example'
const made = makeManifests(addin, origin)

interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  text: string
}

function parse(xml: string): Element {
  const top: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [top]
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes }) => {
    const element: Element = { name, attributes, children: [], text: '' }
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
  return top.children[0] ?? top
}

function everyElement(element: Element): readonly Element[] {
  return [element, ...element.children.flatMap(everyElement)]
}

/** As the schemas list what an element may hold, in the only order that Excel takes. Of Icon and Requirements, those of Excel's. */
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
  const app = parse(made.xml)
  const elements = everyElement(app)
  const valueOf = (name: string) => app.children.find((child) => child.name === name)?.text

  test('has every element where the schema wants it', () => {
    for (const { name, children } of elements.filter((element) => element.children.length > 0)) {
      const places = children.map((child) => (sequences[name] ?? []).indexOf(child.name))
      expect([name, places.includes(-1), places]).toEqual([name, false, places.toSorted((a, b) => a - b)])
    }
  })

  test('says everything that is required, in the form and within the length that is allowed', () => {
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

  test('names nothing that it does not bring, and each thing once', () => {
    const ids = elements
      .filter(({ name }) => name.startsWith('bt:'))
      .flatMap(({ attributes }) => attributes['id'] ?? [])
    expect(new Set(ids).size).toBe(ids.length)
    const named = elements.flatMap(({ attributes }) => attributes['resid'] ?? [])
    expect(named.filter((id) => !ids.includes(id))).toEqual([])
    expect(ids.filter((id) => !named.includes(id))).toEqual([])
  })

  test('leads to this installation only, and to addresses that are there', () => {
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
  /** As Microsoft publishes it; of its hundred properties those that we use, for zod cannot read the others. */
  const schemaPath = 'node_modules/@microsoft/app-manifest/build/json-schemas/teams/v1.20/MicrosoftTeams.schema.json'
  const published = JSON.parse(readFileSync(join(root, schemaPath), 'utf8')) as { properties: Record<string, object> }
  const manifest = JSON.parse(made.json) as Record<string, unknown>
  const used = Object.entries(published.properties).filter(([name]) => name in manifest)
  const Schema = z.fromJSONSchema({ ...published, properties: Object.fromEntries(used) } as Parameters<
    typeof z.fromJSONSchema
  >[0])

  test('fits the published schema, which notices what does not', () => {
    expect(Schema.safeParse(manifest).error?.issues).toBeUndefined()
    for (const wrong of [{ surplus: 1 }, { id: 'no-id' }, { icons: {} }, { extensions: [{ ribbons: [{}] }] }])
      expect([wrong, Schema.safeParse({ ...manifest, ...wrong }).success]).toEqual([wrong, false])
  })

  test('says what the other one says', () => {
    expect(manifest['id']).toBe(/<Id>(.*)<\/Id>/u.exec(made.xml)?.[1])
    expect(manifest['version']).toBe(/<Version>(.*)<\/Version>/u.exec(made.xml)?.[1])
    const setsOf = (pattern: RegExp, text: string) =>
      [...text.matchAll(pattern)].map(([, name, version]) => `${name} ${version}`)
    expect(setsOf(/"name": "(\w+Api)", "minVersion": "([\d.]+)"/gu, made.json)).toEqual(
      setsOf(/Set Name="(\w+)" MinVersion="([\d.]+)"/gu, made.xml),
    )
  })

  test('comes packed with its two icons, in a file that other programs can open', async () => {
    const files = await unzip(made.zip)
    expect([...files.keys()]).toEqual(['manifest.json', 'color.png', 'outline.png'])
    expect(files.get('manifest.json')?.toString()).toBe(made.json)
    const sizeOf = (name: string) => files.get(name)?.readUInt32BE(16)
    expect([sizeOf('color.png'), sizeOf('outline.png')]).toEqual([192, 32])
  })
})

test('an installation keeps its id, and no two have the same', () => {
  expect(made.xml).toContain('<Id>cbe61aef-ce02-5214-9365-d71c81071eef</Id>')
  expect(makeManifests(addin, origin)).toEqual(made)
  expect(makeManifests(addin, 'https://other.example').xml).not.toContain('cbe61aef')
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
