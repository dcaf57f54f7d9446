/** A name as people write it, of themselves or of their organisation. It goes into mails, also to people whom its owner chose. */
import * as z from 'zod'
import { nameMax } from './limits.ts'

/** No line breaks, nothing that turns the order of the letters round, and nothing that a mail program makes a link of. */
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

/** A dot between a label and a top-level domain, in the full stops that mail programs take for one. */
const bareDomain = /[\p{L}\p{N}][.\u3002\uFF0E\uFF61]\p{L}{2}/u

/** A person's first or last name. Organisations may be called `example.com`; a mail program would make a link of such a person. */
export const PersonName = Name.check(({ value, issues }) => {
  if (bareDomain.test(value)) issues.push({ code: 'invalid_format', format: 'name', input: value })
})
