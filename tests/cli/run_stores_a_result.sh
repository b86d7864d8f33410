# `tilegrade run` writes what it found: a mistake of a further file, a file that does not compile,
# and nothing.
cat > late.cu <<'END'
int late(int *values);
int main() {
    int values[40] = {1};
    return late(values);
}
END
cat > kernel.cu <<'END'
__global__ void twice(int *values) {
    values[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}
int late(int *values) {
    int *d_values;
    cudaMalloc(&d_values, 160);
    cudaMemcpy(d_values, values, 160, cudaMemcpyHostToDevice);
    twice<<<BLOCKS, 32>>>(d_values);
    cudaMemcpy(values, d_values, 160, cudaMemcpyDeviceToHost);
    cudaFree(d_values);
    return 0;
}
END
cat > show.py <<'END'
import json, sys
result = json.load(open("out/result.json"))
try:
    import jsonschema
    schema = json.load(open(sys.argv[1]))
    of_program = {"$ref": "#/definitions/program", "definitions": schema["definitions"]}
    jsonschema.validate(result, of_program)
except ImportError:
    pass
print(result["schema"], result["exit_code"], json.dumps(result["build"]))
for finding in result["findings"]:
    print(finding["kind"], finding["severity"], finding["file"], finding["line"], finding["index"])
END
run() {
    tilegrade run late.cu kernel.cu FLAGS="$1" OUT=out | tail -1
    python3 show.py "$REPOSITORY/grader/result.schema.json"
}
run -DBLOCKS=2
run -DBLOCKS=two | sed 's/"texts": .*/…/'
run -DBLOCKS=1
