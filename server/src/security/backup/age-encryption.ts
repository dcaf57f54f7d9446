/** Encrypts and decrypts backups in the age format (https://age-encryption.org). */
import type { ReadableStream } from 'node:stream/web'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { BackupRefused, damaged } from './backup-refused.ts'

/** Who can decrypt: holders of the passphrase, or of the identity of one of the recipients. */
export type EncryptionRecipients = { readonly passphrase: string } | { readonly recipients: readonly string[] }
export type DecryptionKey = { readonly passphrase: string } | { readonly identities: readonly string[] }

type ByteStream = ReadableStream<Uint8Array>
/** The library's types are for browsers; the streams are the same at run time. */
type LibraryStream = Parameters<Encrypter['encrypt']>[0] & ReadableStream<Uint8Array>

const passphraseMin = 16

/** Throws `BackupRefused` for a weak passphrase and for an invalid recipient. */
export function createEncrypter(lock: EncryptionRecipients): Encrypter {
  const encrypter = new Encrypter()
  if ('passphrase' in lock) {
    if (lock.passphrase.length < passphraseMin)
      throw new BackupRefused(
        `The passphrase is shorter than ${passphraseMin} characters, and a backup can be guessed at for ever. Take a longer one.`,
      )
    encrypter.setPassphrase(lock.passphrase)
    return encrypter
  }
  for (const recipient of lock.recipients) {
    try {
      encrypter.addRecipient(recipient)
    } catch {
      throw new BackupRefused(
        `‘${recipient}’ is no recipient. One begins with age1; tributary backup keygen makes one.`,
      )
    }
  }
  return encrypter
}

export async function encryptStream(clear: ByteStream, lock: EncryptionRecipients): Promise<ByteStream> {
  return await createEncrypter(lock).encrypt(clear as LibraryStream)
}

/** Throws `BackupRefused` if the file is no backup, or if the key is wrong. */
export async function decryptStream(sealed: ByteStream, unlock: DecryptionKey): Promise<ByteStream> {
  const decrypter = new Decrypter()
  if ('passphrase' in unlock) decrypter.addPassphrase(unlock.passphrase)
  else for (const identity of unlock.identities) addIdentity(decrypter, identity)
  try {
    return await decrypter.decrypt(sealed as LibraryStream)
  } catch (error) {
    throw toBackupRefused(error, unlock)
  }
}

function addIdentity(decrypter: Decrypter, identity: string): void {
  try {
    decrypter.addIdentity(identity)
  } catch {
    throw new BackupRefused('The identity file holds no identity. One is a line that begins with AGE-SECRET-KEY-1.')
  }
}

function toBackupRefused(error: unknown, unlock: DecryptionKey): BackupRefused {
  const said = error instanceof Error ? error.message : ''
  if (/no identity matched/u.test(said))
    return 'passphrase' in unlock
      ? new BackupRefused(
          'The passphrase does not open this backup. Nothing was written. Give the one it was made with.',
        )
      : new BackupRefused(
          'The identity does not open this backup. Nothing was written. Give the one whose recipient it was made for.',
        )
  if (/version line/u.test(said))
    return new BackupRefused('The file is no backup of Tributary: it is not encrypted with age.')
  return damaged('its beginning was changed or is missing')
}

/** A new key pair: the identity decrypts backups that were made for the recipient. */
export async function makeIdentity(): Promise<{ readonly identity: string; readonly recipient: string }> {
  const identity = await generateX25519Identity()
  return { identity, recipient: await identityToRecipient(identity) }
}
