/**
 * Names of people and organisations. They appear in emails, also in those to recipients chosen by the person who set
 * the name.
 */
import * as z from 'zod'
import { nameMax } from './limits.ts'

/** No line breaks, no bidirectional controls, and nothing that a mail program turns into a link. */
const unfit = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]|:\/\/|www\./iu

export const Name = z
  .string()
  .normalize('NFC')
  .trim()
  .min(1)
  .max(nameMax)
  .check(({ value, issues }) => {
    if (unfit.test(value)) issues.push({ code: 'invalid_format', format: 'name', input: value })
  })

/** A dot before a top-level domain, including the Unicode full stops that mail programs accept. */
const bareDomain = /[\p{L}\p{N}][.\u3002\uFF0E\uFF61]\p{L}{2}/u

/**
 * A person's first or last name. Unlike organisations, people may not be called `example.com`, which mail programs turn
 * into a link.
 */
export const PersonName = Name.check(({ value, issues }) => {
  if (bareDomain.test(value)) issues.push({ code: 'invalid_format', format: 'name', input: value })
})
