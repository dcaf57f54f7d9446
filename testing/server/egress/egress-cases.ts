/** Ways to write or hide a forbidden address, or to be redirected to one. */

import { isIPv4 } from 'node:net'

/** A name of the fake name server. Each lookup returns the next of its answers. */
export interface KnownName {
  readonly name: string
  readonly answers: readonly (readonly string[])[]
}

const metadata = '169.254.169.254'
const forbiddenIpv4 = [
  '127.0.0.1',
  metadata,
  '10.0.0.5',
  '192.168.1.1',
  '172.16.0.1',
  '100.100.100.200',
  '192.0.0.192',
  '0.0.0.0',
]
const forbiddenIpv6 = ['::1', '::', 'fe80::1', 'fd00:ec2::254', 'fc00::1', 'ff02::1']

/** An IPv4 address in every notation that some resolver accepts. */
function notationsOf(address: string): readonly string[] {
  const bytes = address.split('.').map(Number)
  const [a = 0, b = 0, c = 0, d = 0] = bytes
  const whole = ((a * 256 + b) * 256 + c) * 256 + d
  const hex = (value: number) => `0x${value.toString(16)}`
  const octal = (value: number) => `0${value.toString(8)}`
  const pair = (high: number, low: number) => ((high << 8) | low).toString(16)
  return [
    address,
    `${address}.`,
    String(whole),
    hex(whole),
    hex(whole).toUpperCase(),
    octal(whole),
    bytes.map(hex).join('.'),
    bytes.map(octal).join('.'),
    `${hex(a)}.${b}.${octal(c)}.${d}`,
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `000${a}.00${b}.0${c}.${d}`,
    String(whole + 2 ** 32),
    `::ffff:${address}`,
    `::ffff:${pair(a, b)}:${pair(c, d)}`,
    `0:0:0:0:0:ffff:${pair(a, b)}:${pair(c, d)}`,
    `::${address}`,
    `::ffff:0:${address}`,
    `64:ff9b::${address}`,
    `64:ff9b:1::${address}`,
    `2002:${pair(a, b)}:${pair(c, d)}::`,
    `2001:0:0:0:0:0:${pair(~a & 255, ~b & 255)}:${pair(~c & 255, ~d & 255)}`,
    `2001:db8::5efe:${address}`,
    `[${address}]`,
    `[::ffff:${address}]`,
    [...address].map((sign) => (sign === '.' ? sign : String.fromCodePoint(0xff10 + Number(sign)))).join(''),
    address.replaceAll('.', '。'),
    `x@${address}`,
    `db.example@${address}`,
    `${address}#db.example`,
    `${address}?.example`,
    `${address}/db.example`,
    `${address}\\db.example`,
    `db.example,${address}`,
    `${address}\0.example`,
    ` ${address} `,
    `%${address.charCodeAt(0).toString(16)}${address.slice(1)}`,
  ].filter((text) => !isAnother(text, address))
}

/** Leading zeros make some numbers octal, so that the text means another address, which may be allowed. */
function isAnother(text: string, address: string): boolean {
  const { hostname = '' } = URL.parse(`http://${text}/`) ?? {}
  return isIPv4(hostname) && hostname !== address
}

const odd = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'localhost.localdomain',
  'ip6-localhost',
  '.',
  '(local)',
  '127.1',
  '0',
  '0x7f.1',
  '127.0.0.1.nip.example',
  '::1%lo',
  'fe80::1%lo',
  'fe80::a9fe:a9fe%25lo',
  '[::1]',
  '[::]',
  '0000:0000:0000:0000:0000:0000:0000:0001',
  '::0:1',
  'fec0::1',
  'fd00:ec2::23',
  'fd20:ce::254',
  '168.63.129.16',
  '224.0.0.1',
  '255.255.255.255',
  '198.18.0.1',
  '100.64.0.1',
  '/var/run/postgresql',
  '/tmp',
  './.s.PGSQL.5432',
  '@abstract',
  'unix:/var/run/mysqld/mysqld.sock',
  'tcp:127.0.0.1',
  'np:127.0.0.1',
  'lpc:127.0.0.1',
  '127.0.0.1\\SQLEXPRESS',
  '127.0.0.1,10.0.0.5',
  'http://127.0.0.1',
  '127.0.0.1:22',
  'ⓛocalhost',
  'ｌｏｃａｌｈｏｓｔ',
  '①②⑦.⓪.⓪.①',
]

/** @param open an allowed address */
export function knownNames(open: string): readonly KnownName[] {
  const all = [
    ...forbiddenIpv4,
    ...forbiddenIpv6,
    '::ffff:127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '2002:7f00:1::',
    '2001:db8::1',
  ]
  return [
    { name: 'open.example', answers: [[open]] },
    { name: '127.0.0.1.nip.example', answers: [['127.0.0.1']] },
    ...all.flatMap((address, at) => [
      { name: `one-${at}.example`, answers: [[address]] },
      { name: `first-${at}.example`, answers: [[address, open]] },
      { name: `last-${at}.example`, answers: [[open, address]] },
      { name: `turns-${at}.example`, answers: [[open], [address]] },
      { name: `turns-back-${at}.example`, answers: [[address], [open]] },
    ]),
  ]
}

/** All values that are entered as a host. */
export function hostCases(names: readonly KnownName[]): readonly string[] {
  return [
    ...new Set([...forbiddenIpv4.flatMap(notationsOf), ...forbiddenIpv6, ...odd, ...names.map(({ name }) => name)]),
  ]
}

/** One host of each kind; these are always tried. */
export const mainHosts = ['127.0.0.1', metadata, '10.0.0.5', 'last-1.example', 'turns-1.example']

const redirects = [301, 302, 303, 307, 308]

export interface RedirectCase {
  readonly status: number
  readonly to: string
}

/**
 * Redirects that an API or a webhook receiver may send.
 * @param port port of the sinks
 * @param own an origin that responds
 */
export function redirectCases(port: number, own: string): readonly RedirectCase[] {
  const targets = [
    ...forbiddenIpv4.map((address) => `http://${address}:${port}/latest/meta-data/`),
    ...forbiddenIpv6.map((address) => `https://[${address}]:${port}/`),
    `//${metadata}:${port}/`,
    `///${metadata}:${port}/`,
    `\\\\${metadata}:${port}\\`,
    `http://2852039166:${port}/`,
    `http://own@127.0.0.1:${port}/`,
    `http://one-1.example:${port}/`,
    `gopher://127.0.0.1:${port}/_x`,
    `file:///etc/passwd`,
    `ftp://127.0.0.1:${port}/`,
    `${own}/moved/302/${encodePath(`http://127.0.0.1:${port}/`)}/`,
  ]
  return targets.flatMap((to) => redirects.map((status) => ({ status, to })))
}

/** Links to the next page that an API may return. */
export function nextLinkCases(port: number): readonly string[] {
  return [
    ...forbiddenIpv4.map((address) => `http://${address}:${port}/odata/`),
    `//${metadata}:${port}/odata/`,
    `http://elsewhere.example//${metadata}:${port}/odata/`,
    `http://elsewhere.example/\\\\${metadata}:${port}/odata/`,
    `https://[fd00:ec2::254]:${port}/odata/`,
    `http://x@127.0.0.1:${port}/odata/`,
    `file:///etc/passwd`,
  ]
}

/** Hosts that a SQL Server may route its client to. The server itself is `sql.shop.example`. */
export function routeCases(): readonly string[] {
  const neighbours = ['inside.shop.example', 'meta.shop.example', 'six.shop.example', 'turning.shop.example']
  return [
    ...neighbours,
    ...forbiddenIpv4,
    ...forbiddenIpv6,
    'localhost',
    '2130706433',
    '0x7f000001',
    '127.1',
    'one-0.example',
    '127.0.0.1\\X',
  ]
}

/** @param open an allowed address */
export const routeNames = (open: string): readonly KnownName[] => [
  { name: 'open.shop.example', answers: [[open]] },
  { name: 'sql.shop.example', answers: [['127.0.0.1']] },
  { name: 'inside.shop.example', answers: [['10.0.0.5']] },
  { name: 'meta.shop.example', answers: [[metadata]] },
  { name: 'six.shop.example', answers: [['fd00:ec2::254']] },
  { name: 'turning.shop.example', answers: [['127.0.0.1'], ['10.0.0.5']] },
]

export function encodePath(text: string): string {
  return Buffer.from(text).toString('base64url')
}
