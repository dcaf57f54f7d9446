using System;
using System.Collections.Generic;
using System.IO;
using Microsoft.SqlServer.TransactSql.ScriptDom;

// Parses statements, separated by zero characters in a file, with Microsoft's parser of Transact-SQL. Prints each that it refuses.
class ParseStatements
{
    static int Main(string[] files)
    {
        var parser = new TSql150Parser(true);
        var statements = new HashSet<string>(File.ReadAllText(files[0]).Split('\0'));
        // The driver writes these itself, in words of the protocol that no script may use.
        statements.RemoveWhere(statement => statement == "" || statement.StartsWith("insert bulk "));
        var refused = 0;
        foreach (var statement in statements)
        {
            IList<ParseError> errors;
            parser.Parse(new StringReader(statement), out errors);
            if (errors.Count == 0) continue;
            refused++;
            foreach (var error in errors) Console.Error.WriteLine(error.Line + ":" + error.Column + " " + error.Message);
            Console.Error.WriteLine(statement);
        }
        Console.WriteLine("programme: " + statements.Count + " different statements for SQL Server parsed by ScriptDom " + parser.GetType().Assembly.GetName().Version + ", " + refused + " refused");
        return statements.Count == 0 || refused > 0 ? 1 : 0;
    }
}
