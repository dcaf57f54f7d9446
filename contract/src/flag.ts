import * as z from 'zod'

/** A boolean in a query string. */
export const Flag = z.stringbool({ truthy: ['true'], falsy: ['false'] }).meta({ type: 'boolean' })
