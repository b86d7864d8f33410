// expect: host_crash 10  (the list is empty)
#include <cstdlib>

struct node {
    int value;
    node *next;
};

static int last(const node *list) {
    while (list->next) {
        list = list->next;
    }
    return list->value;
}

int main(int count, char **) {
    node *list = count > 5 ? (node *)calloc(1, sizeof(node)) : nullptr;
    return last(list);
}
