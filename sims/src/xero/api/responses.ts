/** HTTP responses of the simulator. */

export interface XeroResponse {
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

export const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): XeroResponse => ({
  status,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
})

export const html = (status: number, body: string): XeroResponse => ({
  status,
  body,
  headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
})

export const seeOther = (address: string): XeroResponse => ({ status: 302, body: '', headers: { location: address } })

/** A missing scope or token, in the API's wording. */
export const unauthorised = (detail: string): XeroResponse =>
  json(401, { Type: null, Title: 'Unauthorized', Status: 401, Detail: detail, Instance: instance, Extensions: {} })

export const forbidden = (): XeroResponse =>
  json(403, {
    Type: null,
    Title: 'Forbidden',
    Status: 403,
    Detail: 'AuthenticationUnsuccessful',
    Instance: instance,
    Extensions: {},
  })

const instance = '39fbc9f8-3d0e-4a2a-8d0b-1c7a5f2f6a11'

/** An invalid filter or parameter. */
export class RequestError extends Error {
  readonly number: number
  readonly type: string

  constructor(message: string, number = 10, type = 'ValidationException') {
    super(message)
    this.number = number
    this.type = type
  }

  answer(): XeroResponse {
    const details = { ErrorNumber: this.number, Type: this.type, Message: this.message }
    return json(
      400,
      this.number === 10 ? { ...details, Elements: [{ ValidationErrors: [{ Message: this.message }] }] } : details,
    )
  }
}
