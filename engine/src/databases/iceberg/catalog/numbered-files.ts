/** Versions of a document as numbered files, of which the highest number is the newest: `v7.metadata.json`. */
import type { LocalStorage } from '../storage/local-storage.ts'
import { ObjectNotFoundError } from '../storage/storage.ts'

export interface NumberedFile {
  readonly number: number
  readonly location: string
  readonly text: string
}

/** Older versions stay for readers that found them just before. */
const versionsKept = 100

export class NumberedFiles {
  readonly #storage: LocalStorage
  readonly #folder: string
  readonly #ending: string

  /** @param folder its location, with a slash at the end */
  constructor(storage: LocalStorage, folder: string, ending: string) {
    this.#storage = storage
    this.#folder = folder
    this.#ending = ending
  }

  /** Null if there is no file. */
  async readLatest(): Promise<NumberedFile | null> {
    const hint = await this.#readHint()
    const number = hint === null ? await this.#findHighest() : await this.#findNewerThan(hint)
    if (number === 0) return null
    const location = this.#locationOf(number)
    return { number, location, text: Buffer.from(await this.#storage.read(location)).toString() }
  }

  /** Creates the file of this number and returns its location, or null if the number is taken. */
  async create(number: number, text: string): Promise<string | null> {
    const location = this.#locationOf(number)
    if (!(await this.#storage.create(location, Buffer.from(text)))) return null
    // Only a hint: a reader looks for higher numbers, too, in case the process ends here.
    await this.#storage.write(this.#hintLocation, Buffer.from(String(number)))
    if (number > versionsKept) await this.#storage.delete([this.#locationOf(number - versionsKept)])
    return location
  }

  get #hintLocation(): string {
    return `${this.#folder}version-hint.text`
  }

  #locationOf(number: number): string {
    return `${this.#folder}v${number}.${this.#ending}`
  }

  async #readHint(): Promise<number | null> {
    try {
      const hint = Number(Buffer.from(await this.#storage.read(this.#hintLocation)).toString())
      return Number.isSafeInteger(hint) && (await this.#exists(hint)) ? hint : null
    } catch (error) {
      if (error instanceof ObjectNotFoundError) return null
      throw error
    }
  }

  async #findNewerThan(hint: number): Promise<number> {
    let number = hint
    while (await this.#exists(number + 1)) number += 1
    return number
  }

  async #findHighest(): Promise<number> {
    let highest = 0
    for await (const { location } of this.#storage.list(this.#folder)) {
      const [, number] = /\/v(\d+)\.[^/]*$/u.exec(location) ?? []
      if (number !== undefined && location.endsWith(`.${this.#ending}`)) highest = Math.max(highest, Number(number))
    }
    return highest
  }

  async #exists(number: number): Promise<boolean> {
    try {
      await this.#storage.size(this.#locationOf(number))
      return true
    } catch (error) {
      if (error instanceof ObjectNotFoundError) return false
      throw error
    }
  }
}
