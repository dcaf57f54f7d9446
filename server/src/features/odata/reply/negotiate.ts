/** Negotiates the version and the format of a reply (Protocol 4.01, sections 5 and 8; JSON Format 4.01, section 3). */
import { badRequest, ODataError } from '../odata-error.ts'

export type ODataVersion = '4.0' | '4.01'
type MetadataLevel = 'none' | 'minimal' | 'full'

export interface ReplyFormat {
  readonly version: ODataVersion
  readonly kind: 'json' | 'xml'
  readonly metadata: MetadataLevel
  /** 64-bit integers and decimals are text. */
  readonly ieee754Compatible: boolean
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** A client that sends `OData-MaxVersion: 4.0`, such as Excel, gets 4.0. */
export function negotiateVersion(headers: Headers): ODataVersion {
  const wanted = String(headers['odata-maxversion'] ?? '4.01').trim()
  const [, major, minor = ''] = /^(\d{1,3})\.(\d{1,3})$/.exec(wanted) ?? []
  if (major === undefined) throw badRequest('This must be a version such as 4.0.', { target: 'OData-MaxVersion' })
  if (Number(major) < 4)
    throw badRequest('The feed speaks OData 4.0 and 4.01. Use a client for OData 4.', { target: 'OData-MaxVersion' })
  return Number(major) === 4 && Number(minor) === 0 ? '4.0' : '4.01'
}

export interface FormatRequest {
  readonly headers: Headers
  readonly version: ODataVersion
  /** The value of `$format`, which counts more than the header. */
  readonly format: string | undefined
  /** What the resource can be, the default first. */
  readonly offered: readonly ReplyFormat['kind'][]
}

export function negotiateFormat({ headers, version, format, offered }: FormatRequest): ReplyFormat {
  const ranges = format === undefined ? acceptedRanges(String(headers['accept'] ?? '*/*')) : [rangeOfFormat(format)]
  for (const { type, parameters } of ranges) {
    const kind = offered.find((candidate) => matches(type, candidate))
    if (kind === undefined) continue
    return {
      version,
      kind,
      metadata: metadataLevel(parameters),
      ieee754Compatible: parameters.get('ieee754compatible') === 'true',
    }
  }
  const target = format === undefined ? 'Accept' : '$format'
  throw new ODataError(
    406,
    'notAcceptable',
    `This is available as ${offered.map((kind) => mediaTypes[kind]).join(' and ')}.`,
    {
      target,
    },
  )
}

export const mediaTypes = { json: 'application/json', xml: 'application/xml' } as const

/** The content type of a reply as JSON. Parameters of 4.0 have a prefix. */
export function jsonContentType({ version, metadata, ieee754Compatible }: ReplyFormat): string {
  const prefix = version === '4.0' ? 'odata.' : ''
  const exact = ieee754Compatible ? ';IEEE754Compatible=true' : ''
  return `application/json;${prefix}metadata=${metadata};${prefix}streaming=true${exact};charset=utf-8`
}

interface MediaRange {
  readonly type: string
  readonly parameters: ReadonlyMap<string, string>
  readonly quality: number
}

function rangeOfFormat(format: string): MediaRange {
  const short: Readonly<Record<string, string>> = { json: mediaTypes.json, xml: mediaTypes.xml }
  return toRange(short[format.toLowerCase()] ?? format)
}

/** By quality. Ranges of the same quality stay in their order. */
function acceptedRanges(accept: string): MediaRange[] {
  return accept
    .split(',')
    .slice(0, 50)
    .map(toRange)
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
}

function toRange(text: string): MediaRange {
  const [type = '', ...parts] = text.split(';').map((part) => part.trim().toLowerCase())
  const parameters = new Map(
    parts.map((part) => {
      const [name = '', value = ''] = part.split('=').map((piece) => piece.trim())
      return [name.replace(/^odata\./, ''), value.replaceAll('"', '')] as const
    }),
  )
  const quality = Number(parameters.get('q') ?? 1)
  return { type, parameters, quality: Number.isNaN(quality) ? 1 : quality }
}

function matches(type: string, kind: ReplyFormat['kind']): boolean {
  return (
    type === '*/*' || type === 'application/*' || type === mediaTypes[kind] || (kind === 'xml' && type === 'text/xml')
  )
}

function metadataLevel(parameters: ReadonlyMap<string, string>): MetadataLevel {
  const level = parameters.get('metadata') ?? 'minimal'
  if (level === 'none' || level === 'minimal' || level === 'full') return level
  throw badRequest('odata.metadata must be none, minimal or full.', { target: 'Accept' })
}

/** The page size that the client prefers, if it does. */
export function preferredPageSize(headers: Headers): number | undefined {
  const text = /(?:^|[,;])\s*(?:odata\.)?maxpagesize\s*=\s*"?(\d{1,9})"?\s*(?:[,;]|$)/i.exec(
    String(headers['prefer'] ?? ''),
  )?.[1]
  return text === undefined || Number(text) === 0 ? undefined : Number(text)
}
