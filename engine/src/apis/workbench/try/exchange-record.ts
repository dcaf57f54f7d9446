/** What was sent and received, for people to look at: secrets masked, long bodies cut. */
import type { ObservedExchange } from '../../../ports/source.ts'

export interface ExchangeRecord {
  readonly method: 'GET'
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  /** Null if there was no complete reply. */
  readonly status: number | null
  readonly replyHeaders: Readonly<Record<string, string>>
  readonly body: string
  /** Bytes of the body, of which `body` may have only the first. */
  readonly bytes: number
}

const bodyShown = 20_000
const mask = '•••'
/** Their values are always masked, also if they came from a sign-in. */
const secretHeaders = /^(?:authorization|proxy-authorization|cookie|set-cookie|.*(?:api-?key|token|secret).*)$/iu

export class ExchangeRecorder {
  readonly records: ExchangeRecord[] = []
  readonly #secrets: readonly string[]
  readonly #max: number

  /** @param max so many exchanges are kept */
  constructor(secrets: readonly string[], max: number) {
    this.#secrets = spellingsOf(secrets)
    this.#max = max
  }

  record({ url, headers, reply }: ObservedExchange): void {
    if (this.records.length >= this.#max) return
    const body = reply === null ? '' : Buffer.from(reply.body).toString('utf8')
    this.records.push({
      method: 'GET',
      address: this.masked(url.href),
      headers: this.#headers(headers),
      status: reply?.status ?? null,
      replyHeaders: this.#headers(reply?.headers ?? {}),
      body: copyOf(this.masked(body).slice(0, bodyShown)),
      bytes: reply?.body.length ?? 0,
    })
  }

  masked(text: string): string {
    return this.#secrets.reduce((left, secret) => left.replaceAll(secret, mask), text)
  }

  #headers(
    headers: ObservedExchange['headers'] | NonNullable<ObservedExchange['reply']>['headers'],
  ): Record<string, string> {
    const shown = Object.entries(headers).flatMap(([name, value]) => {
      if (value === undefined) return []
      return [[name, secretHeaders.test(name) ? mask : this.masked(String(value))] as const]
    })
    return Object.fromEntries(shown)
  }
}

/** A part of a string keeps the whole string in memory, which may be 64 MiB for each of many replies. */
function copyOf(part: string): string {
  return Buffer.from(part, 'utf8').toString('utf8')
}

/** A secret as it is, in an address, in a form, in JSON and in base64. The longest come first. */
function spellingsOf(secrets: readonly string[]): readonly string[] {
  const all = secrets
    .filter((secret) => secret.length >= 4)
    .flatMap((secret) => [
      secret,
      encodeURIComponent(secret),
      new URLSearchParams({ '': secret }).toString().slice(1),
      JSON.stringify(secret).slice(1, -1),
      Buffer.from(secret).toString('base64'),
    ])
  return [...new Set(all)].toSorted((one, other) => other.length - one.length)
}
