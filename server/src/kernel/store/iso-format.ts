/** The format of `to_char` for times on the wire; PostgreSQL's JSON functions use another one. */
export const isoFormat = 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'
