/** A software passkey that signs like a security key, so that the server's real verification runs. */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

type PasskeyOptions = Readonly<Record<string, unknown>>
type Cbor = number | string | Uint8Array | ReadonlyMap<number | string, Cbor>

export class Authenticator {
  readonly #origin: string
  readonly #id = randomBytes(32)
  readonly #privateKey: KeyObject
  readonly #publicKey: KeyObject
  #counter = 0
  #userHandle = ''

  /** @param origin the origin that the browser reports */
  constructor(origin = 'http://localhost:3000') {
    this.#origin = origin
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.#privateKey = privateKey
    this.#publicKey = publicKey
  }

  /** Like `navigator.credentials.create`. */
  create(options: PasskeyOptions): PasskeyOptions {
    this.#userHandle = String((options['user'] as PasskeyOptions)['id'])
    const authData = Buffer.concat([
      this.#state(String((options['rp'] as PasskeyOptions)['id']), 0x45),
      this.#credentialData(),
    ])
    const attestationObject = cbor(
      new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    )
    return this.#answer({
      clientDataJSON: this.#clientData('webauthn.create', options),
      attestationObject: base64url(attestationObject),
      transports: ['usb'],
    })
  }

  /** Like `navigator.credentials.get`. */
  get(options: PasskeyOptions): PasskeyOptions {
    this.#counter += 1
    const authenticatorData = this.#state(String(options['rpId']), 0x05)
    const clientDataJSON = this.#clientData('webauthn.get', options)
    const clientHash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest()
    const signature = sign('sha256', Buffer.concat([authenticatorData, clientHash]), this.#privateKey)
    const parts = {
      clientDataJSON,
      authenticatorData: base64url(authenticatorData),
      signature: base64url(signature),
      userHandle: this.#userHandle,
    }
    return this.#answer(parts)
  }

  /** Resets the signature counter, like a cloned key. */
  forgetCounter(): void {
    this.#counter = 0
  }

  #answer(response: PasskeyOptions): PasskeyOptions {
    const id = base64url(this.#id)
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }

  #clientData(type: string, { challenge }: PasskeyOptions): string {
    return base64url(Buffer.from(JSON.stringify({ type, challenge, origin: this.#origin, crossOrigin: false })))
  }

  /** @param flags user present 0x01, user verified 0x04, new credential included 0x40 */
  #state(rpId: string, flags: number): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.#counter)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), counter])
  }

  #credentialData(): Buffer {
    const { x = '', y = '' } = this.#publicKey.export({ format: 'jwk' })
    // COSE key: elliptic curve (2), ES256 (-7), P-256 (1).
    const key = new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ])
    const idLength = Buffer.from([0, this.#id.length])
    return Buffer.concat([Buffer.alloc(16), idLength, this.#id, cbor(key)])
  }
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}

/** Encodes the subset of CBOR that a passkey needs. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [cbor(key), cbor(item)])])
}

function head(kind: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(kind << 5) | size])
  return size < 256 ? Buffer.from([(kind << 5) | 24, size]) : Buffer.from([(kind << 5) | 25, size >> 8, size & 0xff])
}
