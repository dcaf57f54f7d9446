/** AES-256-GCM with additional authenticated data: 12 bytes nonce, ciphertext, 16 bytes tag, in base64url. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { copyUnpooled } from '../../kernel/unpooled-buffer.ts'

const nonceBytes = 12
const tagBytes = 16

export function encrypt(key: Buffer, clear: Buffer, additionalData: string): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAAD(
    Buffer.from(additionalData, 'utf8'),
  )
  return Buffer.concat([nonce, cipher.update(clear), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

/** Throws if the text or the additional data was changed. The result is outside of Node's buffer pool, so it may be kept. */
export function decrypt(key: Buffer, text: string, additionalData: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  // Accepts only canonical base64url, because several texts can decode to the same bytes.
  if (bytes.length < nonceBytes + tagBytes || bytes.toString('base64url') !== text)
    throw new Error('A sealed value is cut short or misspelt.')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(additionalData, 'utf8')).setAuthTag(bytes.subarray(-tagBytes))
  return copyUnpooled(Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]))
}
