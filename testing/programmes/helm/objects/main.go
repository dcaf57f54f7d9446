// Decodes rendered objects by the types of Kubernetes, KEDA and the Prometheus operator. An unknown field is an error, as is
// a value of the wrong type and a kind that none of them has. Reads YAML documents from the standard input.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"bufio"

	kedav1alpha1 "github.com/kedacore/keda/v2/apis/keda/v1alpha1"
	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/yaml"
	kubernetes "k8s.io/client-go/kubernetes/scheme"
)

func main() {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{kubernetes.AddToScheme, kedav1alpha1.AddToScheme, monitoringv1.AddToScheme} {
		if err := add(scheme); err != nil {
			panic(err)
		}
	}
	decoder := json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme, scheme, json.SerializerOptions{Yaml: true, Strict: true})
	failed := false
	documents := yaml.NewYAMLReader(bufio.NewReader(os.Stdin))
	for {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			panic(err)
		}
		_, kind, err := decoder.Decode(document, nil, nil)
		if err != nil {
			failed = true
			fmt.Println("refused:", err)
			continue
		}
		fmt.Println("accepted:", kind.GroupVersion().String(), kind.Kind)
	}
	if failed {
		os.Exit(1)
	}
}
