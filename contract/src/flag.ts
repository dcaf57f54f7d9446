import * as z from 'zod'

/** True or false in a query, whose values are text. */
export const Flag = z.stringbool({ truthy: ['true'], falsy: ['false'] }).meta({ type: 'boolean' })
