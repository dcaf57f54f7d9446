/** E-mail addresses as calls take them. */
import * as z from 'zod'

/** Zod's form, with no more before the sign than mail servers take. */
const pattern = new RegExp(`^(?=[^@]{1,64}@)${z.regexes.email.source.slice(1)}`, 'u')

export const EmailAddress = z.email({ pattern }).max(320)
