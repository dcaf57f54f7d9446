/** Records as replies name them. */
import * as z from 'zod'

export const Named = z.object({ Id: z.uuid(), Name: z.string() })

export const Person = z.object({
  Id: z.uuid(),
  FirstName: z.string(),
  LastName: z.string(),
  EmailAddress: z.string(),
})
