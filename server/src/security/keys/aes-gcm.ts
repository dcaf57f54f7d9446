/** AES-256-GCM with what the ciphertext is bound to: 12 bytes of nonce, the ciphertext, 16 bytes of tag, in base64url. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { copyUnpooled } from '../../kernel/unpooled-buffer.ts'

const nonceBytes = 12
const tagBytes = 16

export function encrypt(key: Buffer, clear: Buffer, bound: string): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAAD(
    Buffer.from(bound, 'utf8'),
  )
  return Buffer.concat([nonce, cipher.update(clear), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

/** Throws where a single bit differs, of the text or of what it is bound to. What it returns may be kept: most of it is keys, which are. */
export function decrypt(key: Buffer, text: string, bound: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  // Some characters have more than one spelling of the same bytes; only ours is taken.
  if (bytes.length < nonceBytes + tagBytes || bytes.toString('base64url') !== text)
    throw new Error('A sealed value is cut short or misspelt.')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(bound, 'utf8')).setAuthTag(bytes.subarray(-tagBytes))
  return copyUnpooled(Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]))
}
