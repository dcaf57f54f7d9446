/** E-mail addresses as calls take them. */
import * as z from 'zod'

/** Zod's format, with a local part of the length that mail servers accept. */
const pattern = new RegExp(`^(?=[^@]{1,64}@)${z.regexes.email.source.slice(1)}`, 'u')

export const EmailAddress = z.email({ pattern }).max(320)
