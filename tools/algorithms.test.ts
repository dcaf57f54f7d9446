/** The inventory of algorithms in docs/keys.md matches the code. */
import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = dirname(import.meta.dirname)

/** Patterns of the calls and imports that use each algorithm. */
const algorithmPatterns: readonly (readonly [algorithm: string, RegExp])[] = [
  ['MD5', /\b(?:createHash|hash)\(\s*'md5'/u],
  ['SHA-1', /\b(?:createHash|hash)\(\s*'sha1'/u],
  ['SHA-256', /\b(?:createHash|hash)\(\s*'sha256'/u],
  ['HMAC-SHA-256', /\bcreateHmac\(\s*'sha256'/u],
  ['AES-256-GCM', /\bcreateCipheriv\(\s*'aes-256-gcm'/u],
  ['HKDF-SHA-256', /\bhkdfSync\(\s*'sha256'/u],
  ['PBKDF2-SHA-256', /\bpbkdf2Sync\(|altcha-lib\/algorithms\/pbkdf2/u],
  ['Argon2id', /from '@node-rs\/argon2'/u],
  ['JWT with HS256', /alg: 'HS256'/u],
  ['TOTP', /from 'otplib'/u],
  ['WebAuthn', /import\('@simplewebauthn\/server'\)/u],
  ['X25519 with ChaCha20-Poly1305', /from 'age-encryption'/u],
  ['OpenID Connect', /from 'openid-client'/u],
]
/** Every call that names an algorithm. One without an entry in `algorithmPatterns` fails the test. */
const algorithmCalls =
  /\b(?:createHash|createHmac|createCipheriv|createDecipheriv|createSign|createVerify|hkdfSync|hkdf|scrypt|hash)\(\s*'([\w-]+)'|\balg: '(\w+)'/gu
const knownAlgorithms = new Set(['md5', 'sha1', 'sha256', 'aes-256-gcm', 'HS256'])

test('[ASVS 11.1.2] the inventory names every algorithm that the code uses, and where', () => {
  expect(readInventory(readFileSync(join(root, 'docs/keys.md'), 'utf8'))).toEqual(listUses())
})

test('an algorithm that the inventory lacks is reported', () => {
  const unknown = listSources().flatMap(([file, text]) =>
    [...text.matchAll(algorithmCalls)].flatMap(([, one, other]) =>
      knownAlgorithms.has(one ?? other ?? '') ? [] : [`${file}: ${one ?? other}`],
    ),
  )
  expect(unknown).toEqual([])
  expect(
    [...`createHash('ripemd160')`.matchAll(algorithmCalls)].map(([, one]) => knownAlgorithms.has(one ?? '')),
  ).toEqual([false])
})

function listSources(): (readonly [file: string, text: string])[] {
  return ['engine', 'server', 'contract', 'client', 'web', 'addin'].flatMap((name) =>
    readdirSync(join(root, name, 'src'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/u.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
      .filter((file) => !/\.test\.tsx?$|\/trial\//u.test(file))
      .map((file) => [file, readFileSync(join(root, file), 'utf8')] as const),
  )
}

/** The files that use each algorithm, relative to the root or to `server/src`. */
function listUses(): Record<string, readonly string[]> {
  const all = listSources()
  return Object.fromEntries(
    algorithmPatterns.map(([algorithm, sign]) => [
      algorithm,
      all.flatMap(([file, text]) => (sign.test(text) ? [file.replace(/^server\/src\//u, '')] : [])).toSorted(),
    ]),
  )
}

/** Reads the rows of `| algorithm | purpose | files |`. */
function readInventory(page: string): Record<string, readonly string[]> {
  const [, section = ''] = page.split('\n## Algorithms\n')
  const rows = section.split('\n## ')[0]?.matchAll(/^\| ([^|]+) \| [^|]+ \| (`[^|]+`) \|$/gmu) ?? []
  return Object.fromEntries(
    [...rows].map(([, algorithm = '', files = '']) => [algorithm, files.slice(1, -1).split('`, `').toSorted()]),
  )
}
