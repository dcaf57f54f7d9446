using System;
using System.Text;
using Microsoft.AnalysisServices.Tabular;

// Reads a semantic model in TMDL with Microsoft's library and prints it as JSON.
class ReadModel
{
    static int Main(string[] folders)
    {
        Console.OutputEncoding = new UTF8Encoding(false);
        try
        {
            Console.WriteLine(JsonSerializer.SerializeDatabase(TmdlSerializer.DeserializeDatabaseFromFolder(folders[0])));
            return 0;
        }
        catch (Exception error)
        {
            Console.Error.WriteLine(error);
            return 1;
        }
    }
}
