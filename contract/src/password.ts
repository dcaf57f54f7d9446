/** A password as it is sent: up to 128 characters of any kind, each counted once however it is encoded. */
import * as z from 'zod'
import { passwordMax } from './limits.ts'

export const Password = z
  .string()
  .min(1)
  .meta({ maxLength: passwordMax })
  .check(({ value, issues }) => {
    if ([...value].length > passwordMax)
      issues.push({ code: 'too_big', origin: 'string', maximum: passwordMax, input: value })
  })
