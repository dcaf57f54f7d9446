/** The inventory of algorithms in docs/keys.md is what the code does. */
import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = dirname(import.meta.dirname)

/** By the words with which a library is asked for them, or that stand for it. */
const signs: readonly (readonly [algorithm: string, RegExp])[] = [
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
/** Every call that names an algorithm: one that `signs` does not know fails. */
const named =
  /\b(?:createHash|createHmac|createCipheriv|createDecipheriv|createSign|createVerify|hkdfSync|hkdf|scrypt|hash)\(\s*'([\w-]+)'|\balg: '(\w+)'/gu
const known = new Set(['md5', 'sha1', 'sha256', 'aes-256-gcm', 'HS256'])

test('[ASVS 11.1.2] the inventory names every algorithm that the code uses, and where', () => {
  expect(written(readFileSync(join(root, 'docs/keys.md'), 'utf8'))).toEqual(drawn())
})

test('an algorithm that the inventory has no word for is noticed', () => {
  const unknown = sources().flatMap(([file, text]) =>
    [...text.matchAll(named)].flatMap(([, one, other]) =>
      known.has(one ?? other ?? '') ? [] : [`${file}: ${one ?? other}`],
    ),
  )
  expect(unknown).toEqual([])
  expect([...`createHash('ripemd160')`.matchAll(named)].map(([, one]) => known.has(one ?? ''))).toEqual([false])
})

function sources(): (readonly [file: string, text: string])[] {
  return ['engine', 'server', 'contract', 'client', 'web', 'addin'].flatMap((name) =>
    readdirSync(join(root, name, 'src'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/u.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
      .filter((file) => !/\.test\.tsx?$|\/trial\//u.test(file))
      .map((file) => [file, readFileSync(join(root, file), 'utf8')] as const),
  )
}

/** Of each algorithm the files, named from the root or from `server/src`. */
function drawn(): Record<string, readonly string[]> {
  const all = sources()
  return Object.fromEntries(
    signs.map(([algorithm, sign]) => [
      algorithm,
      all.flatMap(([file, text]) => (sign.test(text) ? [file.replace(/^server\/src\//u, '')] : [])).toSorted(),
    ]),
  )
}

/** Rows of `| algorithm | what for | files |`. */
function written(page: string): Record<string, readonly string[]> {
  const [, section = ''] = page.split('\n## Algorithms\n')
  const rows = section.split('\n## ')[0]?.matchAll(/^\| ([^|]+) \| [^|]+ \| (`[^|]+`) \|$/gmu) ?? []
  return Object.fromEntries(
    [...rows].map(([, algorithm = '', files = '']) => [algorithm, files.slice(1, -1).split('`, `').toSorted()]),
  )
}
