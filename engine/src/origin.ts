/** Which database is read, where its address alone tells. One that has moved is another: reading it once more is safe, going on is not. */
export function originOf({ host, port, database }: { readonly host: string; readonly port: number; readonly database: string }): string {
  return `${host.toLowerCase()}:${port}/${database}`
}
