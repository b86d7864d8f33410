// What a kernel is called with, and what its operation needs.
#include "judge/result/parts.h"

#include "exercise/signature.h"

static json_t *shape_json(const struct parameter *parameter, bool *failed) {
    json_t *shape = json_array();
    for (int i = 0; i < parameter->rank; i++) {
        result_append(shape, json_string(parameter->extent[i]), failed);
    }
    return shape;
}

static json_t *argument_json(const struct parameter *parameter, bool *failed) {
    static const char *const kinds[] = {[PARAMETER_ARRAY] = "array",
                                        [PARAMETER_CONSTANT] = "constant",
                                        [PARAMETER_SIZE] = "size",
                                        [PARAMETER_SCALAR] = "scalar"};
    static const char *const roles[] = {
        [ROLE_IN] = "in", [ROLE_OUT] = "out", [ROLE_INOUT] = "inout"};
    json_t *object = json_object();
    result_put_text(object, "name", parameter->name, failed);
    result_put_text(object, "kind", kinds[parameter->kind], failed);
    result_put_text(object, "type", element_name(parameter->element), failed);
    if (parameter_is_array(parameter)) {
        result_put_text(object, "role", roles[parameter->role], failed);
        result_put(object, "shape", shape_json(parameter, failed), failed);
    } else if (parameter->kind == PARAMETER_SCALAR) {
        result_put(object, "value", json_real(parameter->value), failed);
    }
    return object;
}

json_t *result_kernel_json(const struct signature *signature, bool *failed) {
    json_t *object = json_object();
    json_t *sizes = json_array();
    json_t *arguments = json_array();
    for (int i = 0; i < signature->size_count; i++) {
        result_append(sizes, json_string(signature->size_name[i]), failed);
    }
    for (int i = 0; i < signature->parameter_count; i++) {
        result_append(arguments, argument_json(&signature->parameter[i], failed), failed);
    }
    result_put(object, "product", json_boolean(signature->is_matmul), failed);
    result_put(object, "by_flop", json_boolean(signature_is_by_flop(signature)), failed);
    result_put(object, "sizes", sizes, failed);
    result_put(object, "arguments", arguments, failed);
    return object;
}

void result_put_needs(json_t *object, const struct signature *signature, struct size size,
                      bool *failed) {
    result_put(object, "needed_flop", json_real(signature_flop(signature, size)), failed);
    result_put(object, "needed_bytes", json_real(signature_bytes(signature, size)), failed);
}
